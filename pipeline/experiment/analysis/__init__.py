"""People in the gap: what they and models answered to the same cloze items, after Petersen and Spalek.

- `people`: answers joined with their items, the figures of each item and of all answers
- `relations`: correlations, the mixed model; `models`: models beside people
- `analysis`: who is left out, by criteria written beforehand, and all figures together; `drawings` and `page` show them
"""
