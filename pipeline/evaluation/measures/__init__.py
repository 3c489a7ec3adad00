"""What is measured of the runs of systems, and what they are compared with."""
