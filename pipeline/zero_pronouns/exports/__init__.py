"""Labelled texts for systems: `texts` for translation, `conllu` for coreference, with their trees and the entities of `links`.

`competition` makes items of zeros for which two antecedents compete.
"""
