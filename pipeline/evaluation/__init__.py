"""How systems answer the items of a release: their answers parsed, measured, compared and shown.

- `items`: the items of a release with the traits that accuracy is broken down by (`released_items`)
- `predictions`: the files in which systems' answers come (`read_predictions`)
- `prompts`: the prompts of WSC-ZA for an item (`prompt`), their templates and examples
- `cloze`: the pronouns that masked and causal models expect in a gap
- `asking`: prompts put to language models through Inspect (`ask`); `gguf`: GGUF files served on this machine
- `questions`: the items of a release as prompts, the replies as responses (`item_questions`)
- `modes`: which modes are a system's own answers, which are baselines of it
- `logs`: logs of lm-eval and Inspect and results of batches as predictions (`convert_log`), prompts as batches
- `scoring`: log-probabilities of the items' texts under language models (`score_items`)
- `contamination`: signs that a corpus or a model has read a release (`search_documents`)
- `diagnosis`: why systems err: errors, explanations, error types (WSC-ZA's second experiment)
- `difficulty`: how hard each item is for systems and people (`DifficultyTable`)
- `selection`: a worklist for authors: which schemas are easy, and what gives them away
- `measures`: accuracy, macro scores, places, comparisons, calibration, and what systems are compared with
- `report`: the figures of one evaluation, its page, its tables in LaTeX
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("measures", "scoring"), ("cloze", "report", "contamination", "logs"), ("diagnosis",))
