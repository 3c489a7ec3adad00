"""Exclusion: the rules that reject items whose target stands where no zero is licensed.

`exclude.exclude` divides a collection into kept and rejected; `ruleset.load_rules` reads the rules of a language and matches
them against trees; `ledger` reads and writes the decisions (decisions.jsonl).
"""
