"""The casino: sessions of one player against the house, in which every chip is accounted for."""
