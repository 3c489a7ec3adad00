"""Corpus files: divided into shards that processes read independently, and read document by document.

`registry.Format` is the table of formats: a new one is a module and a line there. `registry.shards` divides a file,
`registry.documents` reads a shard. `reading` has what all readers share; damage goes to a handler (`reading.refuse` or
`reading.SkippedDamage`).
"""
