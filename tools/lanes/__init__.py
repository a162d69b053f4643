"""Makers of the pages about Lanes: pictures and lists of its cards, and how fair they are to each other."""
