"""Releases, the folders that users download, and the suites that stand before them.

`winograd`, `winopron`, `cloze` and `documents` make the files and the dataset card of a release, and `tables` their JSON Lines and
Parquet with the metadata. `sources` reads what a collection was made from, `readings` the last readings of each item. `gate` knows every
suite and which ones a build must pass, and packs what passes; `manifest` is the manifest of a build, `validation` the suite of releases
themselves. `comparison` says what changed between two editions, which `editions` reads. `collection` lays out, builds and checks a
collection of one's own.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("harness",), ("validation",), ("collection",))
