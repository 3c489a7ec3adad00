"""Commands on occupation templates after WinoPron: check them, score, compare and draw systems, exchange files with them."""
