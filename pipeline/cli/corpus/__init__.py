"""The commands `corpus count` and `corpus fetch`."""
