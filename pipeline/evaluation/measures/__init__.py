"""What is measured of the runs of systems.

- `accuracy`: accuracy with clustered intervals, of items and of whole schemas
- `scores`: macro-averaged precision, recall and F1
- `places`: which place of the options a system chooses, and what another order changes
- `forms`: zero against overt pronoun of the same item
- `comparisons`: systems against each other, and the errors that they share
- `calibration`: whether systems are right as often as their probabilities say
- `tokens`: lengths of prompts and answers
- `baselines`: answers without understanding
- `people`: what people answered to the same items
"""
