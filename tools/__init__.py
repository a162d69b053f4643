"""Makers of what is shipped and published (tables of best play, pages about cards), and attackers of shared dice.

They are in the repository and not in the package. A maker is run from the folder of the checkout, in the environment of
the tests: `python -m tools.NAME`.
"""
