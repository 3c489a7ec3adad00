"""Large corpora: read document by document, and counted in windows of words."""
