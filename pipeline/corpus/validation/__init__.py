"""What must hold of words to count (`terms.TERMS`) and of counts (`counts.COUNTS`); answers are derived again (`derivation`)."""
