"""Labelled texts for systems: `texts` for translation, `conllu` for coreference, with trees and entities.

`competition` makes items of zeros for which two antecedents compete.
"""
