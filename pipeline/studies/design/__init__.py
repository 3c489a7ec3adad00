"""From the design of a study (a YAML file) to its lists of tasks.

`build.make_study` reads the files of a design and lays the study out: `sources` reads records, practice, attention items and forms,
`selection` chooses the records, `lists` divides them, `order` puts them and their candidates in order, `fields` renders what a task shows,
and `config` checks that the labelling config fits. `layout.Snapshot` keeps in study.json what a study was laid out from.
"""
