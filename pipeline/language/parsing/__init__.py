"""Dependency parses: `backends` by name, `sentences` and their words, `trees` in CoNLL-U, the parse `lock` that a build reads."""
