"""Releases, the folders that users download, and the suites that stand before them.

`winograd`, `winopron` and `cloze` make the files and the dataset card of a release, and `tables` their JSON Lines and Parquet.
`sources` reads what a collection was made from, `readings` the last readings of each item. `pack` writes releases, `manifest` the
manifest of a build. `gate` knows every suite and which ones a build must pass; `validation` is the suite of releases themselves.
`collection` lays out, builds and checks a collection of one's own.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("harness",), ("validation",), ("collection",))
