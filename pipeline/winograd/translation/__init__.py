"""Machine translation of a collection, as a draft that people review.

- `texts`: what is translated, and in which requests
- `deepl`: DeepL's interface
- `draft`: the table that people fill in
"""
