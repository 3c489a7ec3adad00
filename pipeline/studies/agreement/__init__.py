"""How far the raters of a study agree, and how often they are right.

`figures.rater_figures` computes `records.Figures`, which figures.json, the page and the lines of the command hold, from the tables that
`model.answers` makes of the judgements: `measures` has the statistics of any control, `single_studies` those of single studies,
`raters` how each rater answered, `items` levels of difficulty, items.tsv and the items that need a person. `report` writes the page and
the lines.
"""
