# The mixed model of an experiment by lme4, to compare with `winoforge experiment analyse`, which wrote this file:
#   Rscript analysis.R RESPONSES_DIR
# RESPONSES_DIR holds responses.tsv and participants.tsv; items.tsv and people.tsv stand beside this script.
suppressMessages(library(lme4))
arguments <- commandArgs(trailingOnly = FALSE)
here <- dirname(sub("^--file=", "", grep("^--file=", arguments, value = TRUE)))
folder <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(folder)) stop("expected the folder of responses.tsv: Rscript analysis.R RESPONSES_DIR")
table_of <- function(path) {
  read.delim(path, quote = "", comment.char = "#", colClasses = "character", na.strings = character(), encoding = "UTF-8", check.names = FALSE)
}
responses <- table_of(file.path(folder, "responses.tsv"))
participants <- table_of(file.path(folder, "participants.tsv"))
items <- table_of(file.path(here, "items.tsv"))
people <- table_of(file.path(here, "people.tsv"))
stopifnot(all(responses$participant %in% participants$participant))
kept <- people$participant[people$kept == "yes"]
rows <- responses[responses$part == "item" & responses$participant %in% kept, ]
rows <- merge(rows, items, by.x = "id", by.y = "item")
rows$right <- as.integer(tolower(rows$answer) == rows$expected)
rows$second <- ifelse(rows$place == "second", 0.5, -0.5)
rows$pronoun <- factor(rows$expected, levels = intersect(c("er", "sie", "es"), unique(rows$expected)))
terms <- c("second", "pronoun")[c(length(unique(rows$second)) > 1, nlevels(rows$pronoun) > 1)]
formula <- reformulate(c(terms, "(1 | participant)", "(1 | id)"), "right")
model <- glmer(formula, rows, family = binomial)
cat(sprintf("%d answers, %d people, %d items, log-likelihood %.3f\n", nrow(rows), length(unique(rows$participant)),
            length(unique(rows$id)), as.numeric(logLik(model))))
effects <- coef(summary(model))
cat("effect\testimate\tstandard_error\n")
cat(sprintf("%s\t%.5f\t%.5f\n", rownames(effects), effects[, 1], effects[, 2]), sep = "")
deviations <- as.data.frame(VarCorr(model))
cat("factor\tstandard_deviation\n")
cat(sprintf("%s\t%.5f\n", deviations$grp, deviations$sdcor), sep = "")
