"""Raters: criteria that a design states beforehand, how raters met them, and what raters say of themselves."""
