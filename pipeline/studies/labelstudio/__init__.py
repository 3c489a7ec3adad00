"""Studies on a Label Studio server.

`push.push_study` brings the projects of all lists up to date: it plans what to change, and `client` does it. `pull.pull` reads the
annotations back as judgements under pseudonyms, `exported` from files of its web page; `remote` holds what the server has.
`client.connected` opens the connection.
"""
