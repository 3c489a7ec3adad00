"""The whole command line, for tests that run it in their own process."""

from pipeline.cli import application

app = application()
