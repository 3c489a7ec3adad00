"""Zero pronouns in running text and its translation, after GuoFeng (Xu et al., EMNLP 2022).

`pronouns` has the table of pronouns, `sentence` reads and writes the labels of one sentence, `documents` aligned files, `genres` and
`sample` folders of them, `antecedents` what zeros refer to. `frequencies` counts as the paper's Table 3 does, and `printed` sets figures
beside printed ones. `agreement` compares readers, `recovery` scores recovered zeros, `validation` checks texts. The packages `translation`,
`anonymisation`, `exports` and `report` score translations, replace names, write other formats, and make the page.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("anonymisation",), ("exports", "translation"), ("report",))
