"""Derived forms: the items as solvers use them, each row keyed to its item.

A form is a function that makes its rows, and its entry of `FORMS`. The table says what the command `variants` writes, what
`validate build` derives again and what a release packs; `names` is a form in a package of its own. Public: `FORMS`, `variants`,
and from `form` and `options` the types `Form`, `DerivedForm`, `UnmadeItem`, `FormOptions`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ...core.model import Item
from .form import DerivedForm, Form
from .names.form import NAMES
from .options import FormOptions
from .substitution import DISAMBIGUATED, NLI, SCORING, WINOGRANDE
from .tokens import TOKENS
from .traditional import TRADITIONAL_HK, TRADITIONAL_TW

__all__ = ["FORMS", "Form", "FormOptions", "variants"]

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


def variants(
    items: Sequence[Item],
    options: FormOptions,
    track: Callable[[Collection[tuple[str, Form]]], Iterable[tuple[str, Form]]] = iter,
) -> dict[str, DerivedForm]:
    """Return the items in each form by its name; a form of some languages has only the items in them.

    `track` passes the forms through as they are made, to show how far it is.
    """
    made = {}
    for name, form in track(FORMS.items()):
        members = [item for item in items if form.is_of(item.lang)]
        if members or not form.languages:
            made[name] = form.derive(members, options)
    return made
