"""The commands of a study: `design`, `push`, `pull`, `agree`, `adjudicate`, and `apply`, which applies its decisions in the build."""
