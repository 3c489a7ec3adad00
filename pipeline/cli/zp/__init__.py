"""The commands `zp …`."""
