"""The commands of a study, from `design` to `adjudicate`; `apply`, which applies its decisions; `checklist`, of causes of errors."""
