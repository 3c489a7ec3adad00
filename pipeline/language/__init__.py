"""What the pipeline knows of languages, most of it from rules/; no schema and no collection.

- `questions`: question words, pronouns and proforms of a language (`question_table`, `languages`)
- `anaphors`: the place in a text that a question asks about
- `pronouns`: sets of pronouns for templates (`pronoun_table`)
- `languages`: the table of languages (`language_of`); a folder for each, `zh`, `ja`, `en`, `de`, fills `language.Language`
- `grammar`: what their grammars share, which put a candidate in the place of a pronoun and turn questions into statements
- `segmentation`: Jieba's words of Chinese text, or those of the Penn Chinese Treebank's standard, spaCy's of English text
- `parsing`: dependency trees and the parse lock
- `script`: simplified and traditional Chinese
- `answers`: what a free-text answer of a model means
- `personal_data`: what tells in a text who somebody is, for remarks to leave out and for sources and notes to be free of
- `text_checks`: checks of any text that a person reads
"""

from pathlib import Path

#: The order of the folders in this room: each imports only from folders of earlier layers.
LAYERS = (
    ("grammar", "answers"),
    tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("??/__init__.py"))),  # the languages
    ("parsing",),
)
