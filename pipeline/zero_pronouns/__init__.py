"""Zero pronouns in running text and its translation, after GuoFeng (Xu et al., EMNLP 2022).

`labels` has the table of pronouns, and reads and writes the labels of a sentence; `documents` reads aligned files, folders of them, and
what zeros refer to. `frequencies` counts as the paper's Table 3 does, `agreement` compares readers with each other and systems with them,
`validation` checks texts. The packages `translation`, `anonymisation`, `exports` and `report` score translations, replace names, write
other formats, and make the page.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("anonymisation",), ("exports", "translation"), ("report",))
