"""What must hold of counts (`counts.COUNTS`) and of answers by word association (`answers.PMI`).

`associations` reads the answers of a file, each with what all of them have in common.
"""
