"""What is measured of the runs of systems.

- `accuracy`: accuracy of items and of whole schemas, macro-averaged precision, recall and F1
- `places`: which place of the options a system chooses, and what another order changes
- `comparisons`: systems against each other, the errors that they share, zero against overt pronoun
- `calibration`: whether systems are right as often as their probabilities say
- `bounds`: answers without understanding, and people's
"""
