"""The prompts that language models read: templates, labelled examples, an item as a prompt of WSC-ZA."""
