"""Studies: designs, tasks for Label Studio, and the judgements that come back."""
