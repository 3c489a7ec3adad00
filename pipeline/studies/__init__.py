"""Studies with people, from a design to decisions about items.

`design` builds the tasks of a study; `labelstudio` brings them to a Label Studio server and the judgements back; `agreement` computes
figures and the report; `adjudication` turns majority votes into decisions; `validation` checks a study before anybody sees it. `model`
holds what these share: `study` (a study and its tasks, as files), `judgements` (an export) and `answers` (judgements joined with their
tasks).
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("model",), ("design",), ("labelstudio", "agreement"))
