"""The form `names`: items with other names for their persons.

`form` makes its rows and checks them; `chinese` renames people with Chinese names, `western` those with Western names
(found by `western_mentions`); `tables` reads rules/names, `renaming` replaces names in texts. No further languages are planned.
"""
