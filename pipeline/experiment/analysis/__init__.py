"""People in the gap: what they and models answered to the same cloze items, after Petersen and Spalek.

- `responses`: the files of an experiment's results; `exclusion`: who is left out, by criteria written beforehand
- `judgements`: answers joined with their items; `items`: the figures of each item; `people`: those of all
- `relations`: correlations and deciles; `models`: people beside models; `regression`: the mixed model
- `analysis` puts the figures together; `drawings`, `page`, `tables` show them
"""
