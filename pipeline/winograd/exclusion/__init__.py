"""Exclusion: the rules that reject items whose target stands where no zero is licensed.

`exclude.exclude` divides a collection into kept and rejected; `rule_files.read_rules` reads and checks the rules of a language,
`patterns` their patterns; `ruleset.load_rules` makes them ready to match trees; `ledger` reads and writes the decisions (decisions.jsonl).
"""
