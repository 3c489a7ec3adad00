"""Suites: an experiment's folder before it is served, and the responses that come back."""
