"""From the design of a study (a YAML file) to its lists of tasks.

`design.read_design` reads the file and `build.make_study` does the rest: `selection` chooses the records, `lists` and
`balanced_lists` divide them, `order` puts them in order, `fields` renders what a task shows, `practice` adds practice records, and
`config` checks that the labelling config fits.
"""
