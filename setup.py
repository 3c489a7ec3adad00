"""What of the repository is the package `winoforge`: pipeline/, and within it rules/ and parts of raw/; pyproject.toml has the rest."""

from setuptools import find_namespace_packages, setup

setup(
    packages=[
        "winoforge",
        *(f"winoforge.{name}" for name in find_namespace_packages("pipeline", exclude=["*__pycache__*"])),
        "winoforge.rules",
        "winoforge.raw",
    ],
    package_dir={"winoforge": "pipeline", "winoforge.rules": "rules", "winoforge.raw": "raw"},
    package_data={
        "winoforge": ["py.typed"],
        "": ["*.R", "*.css", "*.j2", "*.js", "*.json", "*.tsv", "*.txt", "*.yaml"],
        "winoforge.rules": ["**/*.conllu", "**/*.tsv", "**/*.yaml"],
        "winoforge.raw": ["evaluation/*", "licences/*", "parser-model/*"],
    },
    include_package_data=False,
)
