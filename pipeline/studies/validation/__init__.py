"""The suite `study`: what must be true of a study folder before it is pushed.

`rows` reads the folder and lays the study out again; `contract` holds the checks of keys, types and ranges, `study`, `lists` and
`tasks` those of each level, `shown` those of what raters see together, `texts` those of any text, `designed` those against the design.
"""
