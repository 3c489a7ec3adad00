"""What all rooms share and what knows no dataset.

- `errors`: `PipelineError`, the one exception that the command line shows
- `model`, `records`, `convert`: `Item`, `Record`, `Rejected`, and records as JSON and YAML by their types
- `files`, `outputs`: text files, and where a command writes: atomically, through links, into pipes and standard output
- `yamlfile`, `notation`: YAML with lines, the notation of schemas
- `hints`: what a refused file probably is, and the way out
- `alignment`, `invisible`: tokens aligned with a text, the set of invisible characters
- `checksums`, `archives`, `rules`: SHA256SUMS, encrypted zip archives, the folder of rules
- `servers`: addresses of servers, tokens and keys, waiting and trying again
- `pages`: the kit of HTML pages, dataset cards
- `validation`: suites of expectations and how they run
"""

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (("pages",), ("validation",))
