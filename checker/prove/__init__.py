"""The same functions on integers that nobody knows: what holds for every one of them."""
