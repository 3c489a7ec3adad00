"""Commands on how systems answer the items of a release."""
