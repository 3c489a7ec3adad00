"""How systems translate zero pronouns, after GuoFeng (Xu et al., EMNLP 2022, section 4.1).

`details` has the words that translate zeros, and reads and writes verdicts as the authors' tool does; `judge` decides on each zero and sums
the verdicts; `alignment` reads, makes and measures word alignments; `metrics` has scores of whole translations.
"""
