"""WSC-ZA's second experiment (sections 4.2 and 6.4, Appendix C): why systems err, from the errors to Table 8."""
