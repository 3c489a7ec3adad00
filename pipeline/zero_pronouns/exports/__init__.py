"""Labelled texts as systems read them (`texts`, `conllu` with the trees of `parses` and the entities of `links`), and items (`competition`)."""
