"""`python -m winoforge`, or `python -m pipeline` in the repository: the command line."""

from .cli import main

main()
