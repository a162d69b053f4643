"""Makers of what is shipped and published: tables of best play, pages about the cards. In the repository alone.

Each is run from the folder of the checkout, as `python -m tools.NAME`, in the environment of the tests.
"""
