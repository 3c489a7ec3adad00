"""Zero pronouns in running text and its translation, after GuoFeng (Xu et al., EMNLP 2022).

`sentence` reads and writes the labels of one sentence, `documents` aligned files, `genres` folders of them; `frequencies` counts as the
paper's Table 3 does, `printed` sets figures beside printed ones,
`details` scores the verdicts on translated zeros.
"""
