"""Dependency parses: `backends` by name, `trees` of sentences and their words, the parse `lock` that a build reads."""
