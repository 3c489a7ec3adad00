"""The suite `study.STUDY`: what must be true of a study folder before it is pushed.

`rows` reads the folder; `study`, `lists` and `tasks` hold the checks of each level.
"""
