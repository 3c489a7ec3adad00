"""A collection of one's own, in a folder anywhere: what `winoforge init` lays out, the stages that build it, what is left to do.

`layout` has the files of such a folder, `drafts` makes schemas of a table, `stages` is the order of a build, as the Makefile has it for
the collections in raw/, and `open_points` is what a release still lacks.
"""
