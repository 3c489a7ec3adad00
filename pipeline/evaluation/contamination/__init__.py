"""Signs that a corpus, or what a model wrote, holds a release."""
