"""Signs that a corpus, or what a model wrote, holds a release.

- `search`: the canary and the items' n-grams of characters in documents (`search_documents`), the signs, the page
"""
