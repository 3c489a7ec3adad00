"""Studies on a Label Studio server.

`push.push_list` brings the project of a list up to date: `plan` decides what to change, `client` does it. `pull.pull` reads the
annotations back as judgements under pseudonyms: `remote` holds what the server has, `results` reads the answers of each
annotation. `client.connected` opens the connection.
"""
