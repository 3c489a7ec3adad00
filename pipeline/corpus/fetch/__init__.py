"""Downloading a dump from Wikimedia or a mirror, verified.

`fetch.fetch` brings the files of a `dump_files.Dump` into a folder; `download.download` continues a file where it was cut off; `http`
makes one request and checks what the server answers.
"""
