"""Large corpora: download them, read them document by document, count terms in windows of words, answer items by association.

`fetch.fetch` downloads a dump, `formats.registry.documents` reads a shard of a file, `counting.local.count_shards` counts terms,
`baseline` answers items from the counts, `page.page` shows the answers, `validation` checks counts, `derivation` answers.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("formats",), ("counting",))
