"""How systems answer the items of a release.

- `answers`: which candidate a free-text answer chooses (`parse_answer`)
"""
