"""Commands of the cloze experiment with people."""
