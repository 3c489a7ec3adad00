"""The cloze experiment with people: lists, page, server, results.

- `materials`: items, fillers, practice, attention trials and texts; `lists` divides and orders them
- `files`: the page, which `page` has the parts of, conditions for PsychoPy, a key
- `records`: the trials of each list, as the folder of an experiment has them, and what the page of a session sends
- `store`: the SQLite database of the server in a laboratory; `server` is that server
"""
