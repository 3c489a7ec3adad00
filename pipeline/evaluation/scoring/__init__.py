"""Log-probabilities of texts under language models, and the candidate that they favour.

- `texts`: the two texts of each item, cut after the candidate (`scoring_items`)
- `answers`: each candidate after the text and its question, in both forms (`answer_items`)
- `model`: what a model gives for a text (`TextScore`, `LanguageModel`)
- `weights`: models of transformers from this machine, as they are (`read_model`)
- `local`: models of transformers, from a folder or a GGUF file (`load_model`)
- `server`: servers with an OpenAI interface that give log-probabilities of the prompt; a model by its name (`open_model`)
- `scores`: full and partial scores of a text (`full_score`, `partial_score`)
- `responses`: the answers, as lines of a file of responses (`score_items`)
"""
