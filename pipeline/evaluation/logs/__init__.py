"""Logs of evaluation tools and results of batches as predictions, and prompts as batches.

- `custom_ids`: what a request's id says of its item and how it is shown
- `samples`: what one record of a log gives, and the text of a model's message
- `lm_eval`, `inspect_logs`, `batches`: the readers; `batches` writes requests too
- `conversion`: a log of any of them as predictions (`convert_log`)
"""
