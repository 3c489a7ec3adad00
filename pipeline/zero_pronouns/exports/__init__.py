"""Labelled texts for systems: `texts` for translation, `conllu` for coreference, with the trees of `parses` and the entities of `links`.

`competition` makes items of zeros for which two antecedents compete.
"""
