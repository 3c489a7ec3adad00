"""The command line as a file that spark-submit takes; see "On Spark" in docs/association.md."""

from pipeline.cli import main

if __name__ == "__main__":
    main()
