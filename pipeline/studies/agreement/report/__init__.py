"""The figures of a study for people: `page` writes the HTML report and `summary` a few lines.

`outcome` says in sentences what came out, and `questions` has the questions as raters saw them.
"""
