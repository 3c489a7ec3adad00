"""Adjudication: the decisions of people about items, and how a build applies them.

`table` reads and writes annotation/decisions.tsv; `apply.adjudicate` applies its rows to a collection, and reads and writes what was
decided and what followed from it (adjudications.jsonl); `refusals.refused_decisions` finds the rows that a build would refuse.
"""
