"""Releases, the folders that users download, and the suites that stand before them.

`winograd` and `winopron` make the files and the dataset card of a release, `tables` their JSON Lines and Parquet, and
`sources` reads what a collection was made from. `pack` writes releases and the manifest of a build. `gate` knows every
suite and which ones a build must pass; `validation` is the suite of releases themselves.
"""
