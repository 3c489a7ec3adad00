"""Replace names by codes, shuffle numbers (EMNLP 2022, section 3.2).

`names` reads the list of names and says how they are written, `documents` replaces them and shuffles numbers.
"""
