"""winopron."""
