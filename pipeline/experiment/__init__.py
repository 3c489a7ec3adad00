"""The cloze experiment: people fill the gap of each item in a browser, and their answers are set beside those of models.

`browser` builds the lists and the page, serves them in a laboratory and reads the results; `analysis` computes what Petersen and
Spalek (2025) report; `cloze_study` asks the same in Label Studio; `validation` holds the suites of the experiment and of its
responses.
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("browser",), ("analysis",))
