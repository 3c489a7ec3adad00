"""The report of one evaluation: its figures, its page, its tables in LaTeX."""
