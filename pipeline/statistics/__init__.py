"""Statistics over judgements and answers: pure functions that know no file format.

- `ratings`: the table of judgements that all measures take (`Judgements`, `Row`, `Category`)
- `agreement`: percent agreement, Cohen's, Light's and Fleiss' kappa, Krippendorff's alpha
- `sets`: Krippendorff's alpha of several labels at once, MASI distance
- `voting`: majority vote (`majority_vote`, `vote_accuracy`)
- `human_accuracy`: accuracy of people by subject, by item, over all answers
- `difficulty`: levels of difficulty
- `summary`: mean with t interval, shrunken means of items with few values
- `intervals`, `bootstrap`: interval of a clustered share, bootstrap interval of any statistic
- `paired`: tests of paired differences (t, McNemar, permutation of clusters) with Holm's correction
- `levels`: Kruskal and Wallis' test over levels
- `boundaries`: agreement of two segmentations
- `ratios`: a share that is None where nothing is counted

A measure that is undefined returns None. The libraries that compute (scipy, statsmodels, krippendorff, numpy) load on first use.
"""
