"""labelstudio."""
