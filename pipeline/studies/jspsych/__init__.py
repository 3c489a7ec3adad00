"""The cloze experiment with people: lists, page, server, results.

- `trials`: the trials of each list, as the folder of an experiment has them
- `records`: what the page of a session sends
- `store`: the SQLite database of the server in a laboratory; `server` is that server
"""
