"""The rules of Lanes in numbers: a whole game is one flat row of whole numbers, a card set is another.

    layout      where everything stands in the two rows, and what the numbers mean
    pawns       pawns on tiles: who may play where, raising, capturing, taking back
    powers      what cards are worth now: auras, counts, status
    abilities   what cards do: targets, spawning, destroying, settling
    turns       one play in its fixed order; hands, decks, passing, the end
    scoring     lanes, bonuses, the result
    playouts    legal moves, hidden cards dealt again, games played at random to their end
    checking    everything that is kept up to date, worked out anew

Every function takes the row of the game as `cells` and changes it in place; `tables` is the card set and is never
changed; `log` collects events, or is None. All of it is the numeric subset: CPython runs it as it
stands on lists and tuples, the simulator compiles it for arrays. The rules trust their arguments; whoever calls them
has checked what players may ask for.
"""
