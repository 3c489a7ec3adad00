"""The audit: why each record of a collection was kept or rejected.

`entries` selects the records that a maintainer should read and makes audit.tsv; `page.page` renders the page, with drawings of the
trees; `gold.score` compares the decisions of the rules with a gold. The histories that all of them read come from `winograd.build`.
"""
