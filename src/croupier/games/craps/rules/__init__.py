"""The rules of craps in numbers, once, for one seat or many (docs/games/craps.md): the numeric subset throughout.

    ids        the 91 bets by number, their windows, take-down classes and limits
    table      the table's row of numbers: phase, point, counters, trackers; what a roll does to it
    prices     a pay table as a flat array; profits, commissions, tiers
    line       Pass, DontPass, Come, DontCome and odds
    numbers    YES, NO, hardways, Big
    one_roll   Field, NEXT, hops and combinations
    progress   bets of a set, bets of a hand, Muggsy
    roll       one roll: `settle` for a bet, `resolve` for all of them
    placing    when a bet may be placed, limits, how large odds may be
    boost      super mode

Everything trusts its arguments, of which `croupier.games.craps.placing` is the judge.
"""
