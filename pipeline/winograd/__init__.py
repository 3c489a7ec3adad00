"""winograd."""
