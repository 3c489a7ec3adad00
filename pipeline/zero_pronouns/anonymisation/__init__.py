"""Replace names by codes, shuffle numbers (EMNLP 2022, section 3.2).

`names` reads the list of names, `forms` says how they are written, `numbers` shuffles numbers, `edits` changes texts, `documents` does
it for documents.
"""
