"""The printed numbers of the five papers, recomputed: `python -m replication`."""
