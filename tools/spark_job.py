"""The command line as a file for spark-submit; see "Spark" in docs/association.md."""

from winoforge.cli import main

if __name__ == "__main__":
    main()
