"""How far the raters of a study agree, and how often they are right.

`figures.figures` computes everything that `figures.json` holds, from the tables that `answers` makes of the judgements and the
statistics in `measures`; `levels`, `lists` and `validity` have those of single studies, `published` what papers print of theirs.
`item_rows.item_rows` makes items.tsv. `review.look_first` picks the items that need a person. `report` writes the HTML page.
"""
