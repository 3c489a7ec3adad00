"""Adjudication: the decisions of people about items, and how a build applies them.

`table` reads and writes annotation/decisions.tsv; `record.decided` applies one row to one record, `apply.adjudicate` all rows
to a collection; `refusals.refused_decisions` finds the rows that a build would refuse; `ledger` reads and writes what was decided
and what followed from it (adjudications.jsonl).
"""
