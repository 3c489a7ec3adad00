"""exclusion."""
