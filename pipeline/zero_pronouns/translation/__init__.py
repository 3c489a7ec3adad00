"""How systems translate zero pronouns, after GuoFeng (Xu et al., EMNLP 2022, section 4.1).

`judge` decides on each zero, `details` reads and writes the verdicts as the authors' tool does, `links` reads word alignments,
`aligner` makes them, `quality` compares them with an alignment by hand.
"""
