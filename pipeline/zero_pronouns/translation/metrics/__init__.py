"""Scores of whole translations, automatic and human, beside the accuracy of zeros.

`automatic` has BLEU, chrF, TER and METEOR, `significance` tests of their differences, `workbook` and `human` the scores that people
gave, `correlation` how far both agree.
"""
