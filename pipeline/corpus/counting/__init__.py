"""Counting terms in windows of words, exactly.

`terms.TermQuery` says what to count, `segmenters.BACKENDS` how text is converted and cut, `windows.occurrences` where the terms
stand, `windows.count_windows` how many windows hold them. `local.count_shards` and `spark.count_on_spark` count the shards of a
corpus; `counts.Counts` is the sum, with its file.
"""
