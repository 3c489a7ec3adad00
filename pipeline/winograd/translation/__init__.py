"""Machine translation of a collection, as a draft that people review.

- `draft`: what is translated, in which requests, and the table that people fill in
- `deepl`: DeepL's interface
"""
