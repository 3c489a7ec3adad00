"""Labelled texts in the forms that systems read.

`tokens` cuts sentences into words, `texts` writes them as original, oracle or labelled text.
"""
