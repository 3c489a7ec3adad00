"""Log-probabilities of texts under language models, and the candidate that they favour."""
