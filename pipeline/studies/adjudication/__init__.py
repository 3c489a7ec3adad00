"""Turn the judgements of a study into decisions about items: rows of annotation/decisions.tsv.

A judgement passes five forms between Label Studio and the table: `RemoteAnnotation` (what the server holds), `Judgement` (one
item of it, checked, under a pseudonym: a line of the export), `TaskJudgement` (the judgement with the task that it answers),
`Ballot` (the action it votes for) and `Adjudication` (the action that most raters of the item vote for: a row of the table).

`ballots.read_ballot` reads one rater's vote, `outcomes.decide` counts the votes, `outcomes.update_table` merges the rows.
"""
