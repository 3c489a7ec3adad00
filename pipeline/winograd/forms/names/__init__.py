"""The form `names`: items with other names for their persons.

`form` makes its rows and checks them; `chinese` renames people with Chinese names, `western` those with Western names, with one surname
for relatives (`families`); `renaming` replaces names in texts. No further languages are planned.
"""
