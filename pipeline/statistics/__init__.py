"""Statistics over judgements and answers: pure functions that know no file format.

- `ratings`: the table of judgements that all measures take (`Judgements`, `Row`, `Category`)
- `agreement`: percent agreement, Cohen's, Light's and Fleiss' kappa, Krippendorff's alpha, MASI; agreement of two segmentations
- `human_accuracy`: majority vote; accuracy of people by subject and by item; levels of difficulty
- `intervals`: interval of a clustered share or mean, bootstrap interval of any statistic; mean with t interval, shrunken means
- `significance`: tests of paired differences (t, McNemar, permutation of clusters) and of groups (Kruskal and Wallis), Holm's correction
- `association`: correlation, Cramér's V, deciles, with intervals over clusters that may cross
- `mixed_models`: logistic regression with crossed random intercepts
- `item_response`: difficulty and discrimination of items, ability of respondents, with intervals
- `swaps`: lists in which each group has its share

A measure that is undefined returns None. The libraries that compute (scipy, statsmodels, numpy) load on first use.
"""
