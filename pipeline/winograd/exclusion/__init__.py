"""Exclusion: the rules that reject items whose target stands where no zero is licensed.

`exclude.judge` asks the rules about the trees of an item, and `exclude.partition` divides a collection by the answers, whether they
come from trees or from the ledger. `rule_files.read_rules` reads and checks the rules of a language, `patterns` their patterns;
`ruleset.load_rules` makes them ready to match trees; `ledger` reads and writes the decisions (decisions.jsonl).
"""
