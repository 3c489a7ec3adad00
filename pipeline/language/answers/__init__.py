"""What a free-text answer means.

- `final`: what a model says in the end, without its thought and the frame of its format (`final_text`)
- `plain_text`: the same text without markup, look-alike signs and quotes (`plain`)
- `words`: how people and models announce, deny and doubt an option, in Chinese, English and German
- `mentions`: where a text names an option, by letter, number, place or name
- `listed`: options that an answer repeats in a list, and its verdict on each
- `shapes`: comparisons, denials, repeated questions and corrections in plain words, by shapes that are data (`in_plain`)
- `choice`: which candidate an answer chooses (`parse_answer`)
"""
