"""Log-probabilities of texts under language models, and the candidate that they favour.

- `texts`: the texts of each item (`scoring_items`, `answer_items`)
- `scores`: what a model gives for a text, full and partial scores of it (`LanguageModel`, `full_score`, `partial_score`)
- `local`: models of transformers, from a folder or a GGUF file; `server`: servers with an OpenAI interface (`open_model`)
- `responses`: the answers, as lines of a file of responses (`score_items`)
"""
