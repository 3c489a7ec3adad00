"""The commands of a study, from `plan` to `adjudicate`; `apply`, which applies its decisions; `checklist`, of causes of errors."""
