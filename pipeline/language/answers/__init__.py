"""What a free-text answer means.

- `final`: what a model says in the end (`final_text`): no thought, no frame of its format; no markup, no look-alike signs (`plain`)
- `words`: how people and models announce, deny and doubt an option, in Chinese, English and German, by phrases that are data (`phrases`)
- `mentions`: where a text names an option, by letter, number, place or name
- `listed`: options that an answer repeats in a list, and its verdict on each
- `shapes`: comparisons, denials, repeated questions and corrections in plain words, by shapes that are data (`in_plain`)
- `choice`: which candidate an answer chooses (`parse_answer`)
"""
