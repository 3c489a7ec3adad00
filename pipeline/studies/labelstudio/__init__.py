"""Studies on a Label Studio server.

`push.push_study` brings the projects of all lists up to date: `plan` decides what to change, `client` does it. `pull.pull` reads the
annotations back as judgements under pseudonyms; `remote` holds what the server has. `export` compares them with an earlier export.
`client.connected` opens the connection.
"""
