"""Derived forms: the items as solvers use them, each row keyed to its item.

A form is a function that makes its rows, and its entry of `FORMS`. The table says what the command `variants` writes, what
`validate build` derives again and what a release packs; `names` is a form in a package of its own. Public: `FORMS`, `variants`,
`whole_schemas`, and from `form` and `options` the types `Form`, `DerivedForm`, `UnmadeItem`, `FormOptions`.
"""

from collections.abc import Iterator, Mapping, Sequence

from ...core.model import Item
from .form import DerivedForm, Form, FormOptions
from .names.form import NAMES
from .substitution import DISAMBIGUATED, NLI, SCORING, WINOGRANDE
from .tokens import TOKENS
from .traditional import TRADITIONAL_HK, TRADITIONAL_TW

__all__ = ["FORMS", "Form", "FormOptions", "variants", "whole_schemas"]

#: The derived forms by name, in the order of the dataset card.
FORMS: Mapping[str, Form] = {
    form.name: form
    for form in (
        NLI,
        DISAMBIGUATED,
        SCORING,
        WINOGRANDE,
        NAMES,
        TOKENS,
        TRADITIONAL_TW,
        TRADITIONAL_HK,
    )
}


def whole_schemas(items: Sequence[Item], size: int = 100) -> Iterator[list[Item]]:
    """Yield the items in parts of at least `size` items, in their order; no schema is in two parts.

    The forms of the parts, one after the other, are those of all items: members of a schema depend on each other, schemas do not.
    """
    last = {item.schema: place for place, item in enumerate(items)}
    part: list[Item] = []
    end = 0
    for place, item in enumerate(items):
        part.append(item)
        end = max(end, last[item.schema])
        if place == len(items) - 1 or (place >= end and len(part) >= size):
            yield part
            part = []


def variants(items: Sequence[Item], options: FormOptions) -> dict[str, DerivedForm]:
    """Return the items, whole schemas, in each form by its name; a form of some languages has only the items in them."""
    made = {}
    for name, form in FORMS.items():
        members = [item for item in items if form.is_of(item.lang)]
        if members or not form.languages:
            made[name] = form.derive(members, options)
    return made
