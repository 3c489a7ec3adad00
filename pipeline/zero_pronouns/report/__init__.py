"""The report on a sample: its figures, its page, and the files beside it."""
