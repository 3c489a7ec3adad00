"""The HTML report of a study.

- `page`: the page, with progress, agreement, answers and the items
- `outcome`: what came out, in sentences
- `questions`: the questions as raters saw them
"""
