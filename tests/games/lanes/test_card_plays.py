"""Every card of the set is played where what it does can be seen. Set-up, plays, and what is there afterwards.

The notation is that of conftest; profile `seed`. All of it was worked out by hand from the specification. Of
the other cards on the boards only power and pattern matter: RF01 has power 1, LW01 2, TK02 3, TK06 5 and TK10 7.
"""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any

import pytest

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.compat import Rules, load_cards
from tests.games.lanes.conftest import cases, run_case

CASES = """
LW01 | MID-2=Y1 | Y LW01 MID-2 | MID-2=Y:LW01(2); MID-3=Y1; BOT-3=Y1; TOP-3=N0
LW02 | MID-2=Y1, TOP-2=Y1:TK02, BOT-2=E1:TK06 | Y LW02 MID-2 | TOP-2=Y:TK02(4); BOT-2=E:TK06(5); MID-3=Y1; MID-2=Y:LW02(1)
LW03 | MID-2=Y1, MID-3=Y1:TK02 | Y LW03 MID-2 | MID-3=Y:TK02(5); TOP-3=Y1; MID-2=Y:LW03(2)
LW04 | MID-2=Y1, TOP-2=Y1:TK02, BOT-2=Y1:RF01 | Y LW04 MID-2, Y LW03 MID-1 | MID-2=Y:LW04(4); TOP-2=Y:TK02(5); BOT-2=Y:RF01(3); BOT-3=Y1
LW05 | MID-2=Y1, MID-3=E1:TK06, MID-4=E1:TK10 | Y LW05 MID-2, Y LW03 MID-1 | MID-2=Y:LW05(4); MID-3=E:TK06(2); MID-4=E:TK10(4); TOP-3=Y1
LW06 | MID-2=Y1, MID-4=Y1:TK02 | Y LW06 MID-2 | MID-4=Y:TK02(6); MID-3=Y1; BOT-3=Y1; MID-2=Y:LW06(2)
LW07 | MID-2=Y2, TOP-3=Y1:TK02, MID-3=Y1:RF01, BOT-3=E1:TK06 | Y LW07 MID-2 | TOP-3=Y:TK02(5); MID-3=Y:RF01(3); BOT-3=E:TK06(5); TOP-2=Y1; BOT-2=Y1; MID-2=Y:LW07(2)
LW08 | MID-2=Y2 | Y LW08 MID-2 | MID-2=Y:LW08(3); MID-3=Y1; BOT-3=Y1; TOP-2=Y1; BOT-2=N0
LW09 | MID-2=Y2, TOP-1=Y1:TK02{+2}, BOT-1=Y1:RF01{+1}, MID-5=E1:TK06{+1} | Y LW09 MID-2 | MID-2=Y:LW09(5); MID-3=Y1; TOP-2=Y1
LW10 | MID-2=Y2, TOP-3=E1:TK06, MID-1=Y1:TK02 | Y LW10 MID-2 | TOP-3=E:TK06(6); MID-1=Y:TK02(4); MID-2=Y:LW10(3); MID-3=Y1; TOP-2=Y1; BOT-2=Y1; BOT-3=N0
LW11 | MID-2=Y2, MID-3=E1:TK06 | Y LW11 MID-2, Y LW03 MID-1 | MID-2=Y:LW11(5); MID-3=E:TK06(8); TOP-2=Y2; BOT-2=Y1
LW11 | MID-2=Y2, MID-3=E1:TK06, MID-4=E1 | Y LW11 MID-2, E TK03 MID-4 | MID-2=Y:LW11(2); MID-3=E:TK06(2)
LW12 | MID-2=Y3, MID-4=E1:TK06, TOP-3=Y1:TK02 | Y LW12 MID-2 | MID-4=E:TK06(7); TOP-3=Y:TK02(5); MID-3=Y1; BOT-3=Y1; MID-1=Y2; MID-2=Y:LW12(3)
LW13 | MID-2=Y3, TOP-3=Y1:TK02, BOT-3=E1:TK06 | Y LW13 MID-2, Y LW03 MID-1 | MID-2=Y:LW13(6); TOP-3=Y:TK02(3); MID-3=Y1; BOT-2=Y1; TOP-2=Y2
LW13 | MID-2=Y3, TOP-3=Y1:TK02, BOT-3=E1:TK06 | Y LW13 MID-2, Y LW03 MID-1, Y LW02 TOP-2 | MID-2=Y:LW13(7); TOP-3=Y:TK02(5); BOT-3=E:TK06(5)
LW14 | MID-2=Y3, TOP-1=Y1:TK02{+2}, MID-5=E1:TK06{+1} | Y LW14 MID-2 | MID-2=Y:LW14(6); MID-4=Y1; MID-3=Y1; TOP-2=Y1; BOT-2=Y1
LW15 | MID-2=Y1:TK06, TOP-2=Y1:TK02, BOT-2=Y1:TK02 | Y LW15 MID-2 | TOP-2=Y:TK02(8); BOT-2=Y:TK02(3); MID-2=Y:LW15(1); MID-3=Y1; MID-1=Y2
RF01 | MID-2=Y1 | Y RF01 MID-2 | MID-2=Y:RF01(1); TOP-3=Y1; MID-3=Y1; BOT-3=Y1
RF02 | MID-2=Y1 | Y RF02 MID-2 | Y hand ends with RFT1; MID-2=Y:RF02(2); MID-3=Y1; TOP-2=Y1; TOP-1=Y2
RF03 | MID-2=Y1, MID-3=Y1:TK02, MID-1=Y1:RF01 | Y RF03 MID-2 | MID-3=Y:TK02(4); MID-1=Y:RF01(2); BOT-3=Y1; MID-2=Y:RF03(1)
RF04 | MID-2=Y1, MID-3=E1:TK06 | Y RF04 MID-2 | MID-3=E:TK06(3); TOP-2=Y1; BOT-2=Y1; MID-2=Y:RF04(1)
RF05 | MID-2=Y1, TOP-2=Y1:TK02, BOT-2=E1:TK06 | Y RF05 MID-2 | TOP-2=Y:TK02(3); BOT-2=E:TK06(5); MID-3=Y1; MID-2=Y:RF05(2)
RF05 | MID-2=Y1, TOP-2=Y1:TK02, BOT-2=E1:TK06 | Y RF05 MID-2, Y RF14 MID-2 | TOP-2=Y:TK02(5); BOT-2=E:TK06(5); MID-2=Y:RF14(2)
RF06 | MID-2=Y1 | Y RF06 MID-2 | MID-2=Y:RF06(2); MID-4=Y1; BOT-2=Y1; MID-3=N0
RF07 | MID-2=Y2 | Y RF07 MID-2, Y LW01 TOP-1, E LW01 TOP-5 | MID-2=Y:RF07(3); MID-3=Y1; BOT-2=Y1
RF08 | MID-2=Y2 | Y RF08 MID-2 | Y hand ends with RFT2; MID-2=Y:RF08(3); MID-3=Y1; TOP-2=Y1; MID-1=Y2
RF09 | MID-1=Y2 | Y RF09 MID-1 | MID-1=Y:RF09(3); TOP-1=Y3; BOT-1=Y3; MID-2=Y2
RF10 | MID-1=Y2, TOP-1=Y3 | Y RF10 MID-1 | MID-1=Y:RF10(1); TOP-1=Y:RFT4(3); MID-2=Y:RFT4(1); BOT-1=Y:RFT4(2)
RF11 | MID-2=Y3 | Y RF11 MID-2 | Y hand ends with RFT5 RFT6; MID-2=Y:RF11(3); TOP-3=Y1; MID-3=Y1; BOT-3=Y1; MID-1=Y2
RF12 | MID-2=Y3 | Y RF12 MID-2 | MID-2=Y:RF12(6); MID-3=Y1; TOP-2=Y1; BOT-2=Y1; TOP-1=Y2; BOT-1=Y1
RF13 | MID-1=Y3, TOP-1=Y2 | Y RF13 MID-1 | MID-1=Y:RF13(2); TOP-1=Y:RFT9(3); MID-2=Y:RFT7(1); BOT-1=Y:RFT8(2)
RF14 | MID-2=Y1:RF01 | Y RF14 MID-2 | MID-2=Y:RF14(2); MID-3=Y1; BOT-3=Y1; TOP-1=Y2; TOP-3=N0
TK01 | MID-2=Y1, MID-5=E1:RF01 | Y TK01 MID-2 | lanes 0-0→none / 2-1→Y 4 / 0-0→none; TOP-3=Y1; MID-3=Y1; BOT-2=Y1
TK02 | MID-2=Y1 | Y TK02 MID-2 | MID-2=Y:TK02(3); BOT-3=Y1; TOP-2=Y1; MID-3=N0
TK03 | MID-2=Y1, MID-3=E1:TK06, MID-4=E1:TK02 | Y TK03 MID-2 | MID-3=E:TK06(4); MID-4=E:TK02(2); BOT-2=Y1; MID-2=Y:TK03(2)
TK04 | start board | Y TK04 MID-1 | MID-1=Y:TK04(1); TOP-1=Y3; BOT-2=Y2; BOT-1=Y1
TK05 | MID-2=Y1, TOP-2=Y1:TK02, BOT-2=E1:TK06, MID-1=Y1:RF01 | Y TK05 MID-2 | TOP-2=Y:TK02(2); BOT-2=E:TK06(5); MID-1=Y1; TOP-3=Y1; MID-3=Y1; MID-2=Y:TK05(4)
TK06 | MID-2=Y2 | Y TK06 MID-2 | MID-2=Y:TK06(5); TOP-3=Y1; BOT-3=Y1; MID-1=Y2; MID-3=N0
TK07 | MID-2=Y2, MID-3=E1:TK06 | Y TK07 MID-2 | MID-3=E:TK06(2); BOT-3=Y1; TOP-2=Y1; MID-2=Y:TK07(3)
TK08 | MID-2=Y2, MID-5=E1:LW01 | Y TK08 MID-2 | lanes 0-0→none / 3-2→Y 8 / 0-0→none; MID-3=Y1; TOP-2=Y1; BOT-2=Y1
TK09 | MID-2=Y2, TOP-1=Y1:TK02{-1}, MID-5=E1:TK06{+1}, BOT-5=E1:LW01 | Y TK09 MID-2 | MID-2=Y:TK09(4); MID-3=Y1; BOT-3=Y1; TOP-2=Y1
TK10 | MID-2=Y3 | Y TK10 MID-2 | MID-2=Y:TK10(7); TOP-2=Y1; BOT-2=Y1; MID-1=Y2; MID-3=N0
TK11 | MID-2=Y3 | Y TK11 MID-2, E LW01 TOP-5, Y LW01 TOP-1 | MID-2=Y:TK11(3); MID-3=Y1; TOP-2=Y2; BOT-2=Y1
TK12 | MID-2=Y3, MID-5=E1:TK02 | Y TK12 MID-2 | lanes 0-0→none / 4-3→Y 7 / 0-0→none; MID-3=Y1; TOP-2=Y1; BOT-2=Y1; TOP-1=Y2; BOT-1=Y2
TK13 | MID-1=Y3, MID-2=E2 | Y TK13 MID-1 | MID-1=Y:TK13(3); TOP-1=Y3; BOT-1=Y3; MID-2=Y3
TK14 | MID-2=Y1:RF01 | Y TK14 MID-2 | MID-2=Y:TK14(3); MID-3=Y1; MID-1=Y2; TOP-2=N0
WR01 | MID-2=Y1 | Y WR01 MID-2 | MID-2=Y:WR01(2); BOT-3=Y1; TOP-2=Y1; MID-1=Y2
WR01 | MID-2=Y1 | Y WR01 MID-2, Y TK14 MID-2 | Y hand ends with WRT1; MID-2=Y:TK14(3); BOT-3=N0; TOP-2=N0; MID-1=Y2
WR02 | MID-2=Y1, TOP-1=Y1:RF01, TOP-5=E1:RF01 | Y WR02 MID-2, Y TK14 TOP-1, E TK14 TOP-5 | MID-2=Y:WR02(2); TOP-3=Y1; MID-3=Y1
WR03 | MID-2=Y1, TOP-3=E1:TK06, BOT-3=Y1:TK02 | Y WR03 MID-2 | TOP-3=E:TK06(5); MID-3=Y1; MID-2=Y:WR03(2)
WR03 | MID-2=Y1, TOP-3=E1:TK06, BOT-3=Y1:TK02 | Y WR03 MID-2, Y TK14 MID-2 | TOP-3=E:TK06(3); BOT-3=Y:TK02(3); MID-2=Y:TK14(3)
WR04 | MID-2=Y1, TOP-1=Y1:RF01, TOP-5=E1:RF01 | Y WR04 MID-2, Y TK14 TOP-1, E TK14 TOP-5 | MID-2=Y:WR04(3); TOP-3=Y1; BOT-3=Y1; TOP-4=E1
WR05 | MID-2=Y1 | Y WR05 MID-2 | MID-2=Y:WR05(2); MID-3=Y1; BOT-2=Y1; TOP-2=N0
WR05 | MID-2=Y1, TOP-3=E1:TK06, TOP-2=Y1:TK02, BOT-3=E1:TK10 | Y WR05 MID-2, Y TK14 MID-2 | TOP-3=E:TK06(2); TOP-2=Y1; BOT-3=E:TK10(4); MID-2=Y:TK14(3); BOT-2=N0; MID-1=Y2
WR06 | MID-2=Y1, MID-3=E1:TK06, BOT-3=Y1:RF01 | Y WR06 MID-2 | MID-3=E:TK06(4); BOT-3=Y2; MID-2=Y:WR06(2)
WR07 | MID-2=Y2, BOT-2=Y1:WR01 | Y WR07 MID-2 | Y hand ends with WRT1; BOT-2=Y2; MID-3=Y1; MID-1=Y2; MID-2=Y:WR07(3)
WR07 | MID-2=Y2, BOT-2=E1:TK10 | Y WR07 MID-2 | BOT-2=Y1
WR08 | MID-2=Y2, TOP-1=Y1:RF01, TOP-5=E1:RF01 | Y WR08 MID-2, Y TK14 TOP-1, E TK14 TOP-5 | MID-2=Y:WR08(4); MID-3=Y1; BOT-2=Y1; TOP-2=Y2
WR09 | MID-2=Y2, MID-3=E1:TK06, MID-4=E2:TK02 | Y WR09 MID-2 | MID-3=Y1; MID-4=E2; MID-1=Y2; MID-2=Y:WR09(3)
WR10 | MID-2=Y2 | Y WR10 MID-2 | MID-2=Y:WR10(3); TOP-3=Y1; BOT-3=Y1; TOP-2=Y1; BOT-2=Y1; MID-3=N0
WR10 | MID-2=Y2, TOP-2=Y1:TK02, BOT-3=E1:TK06 | Y WR10 MID-2, Y TK14 MID-2 | TOP-2=Y:TK02(5); BOT-3=E:TK06(7); MID-2=Y:TK14(3); TOP-3=N0
WR11 | MID-2=Y3, TOP-3=E1:TK06, MID-3=E2:TK02, BOT-3=Y1:RF01 | Y WR11 MID-2 | TOP-3=Y1; MID-3=E1; BOT-3=Y:RF01(1); MID-1=Y2; MID-2=Y:WR11(2)
WR12 | MID-2=Y3, TOP-1=Y1:RF01, TOP-5=E1:RF01 | Y WR12 MID-2, Y TK14 TOP-1, E TK14 TOP-5 | MID-2=Y:WR12(6); MID-3=Y1; BOT-3=Y1; TOP-2=Y2; MID-1=Y2
WR13 | MID-2=Y3 | Y WR13 MID-2 | MID-2=Y:WR13(4); MID-3=Y1; BOT-3=Y1; TOP-2=Y1; BOT-1=Y2
WR13 | MID-2=Y3 | Y WR13 MID-2, Y TK14 MID-2 | Y hand ends with WRT2 WRT3; BOT-3=N0; BOT-1=Y1
WR14 | MID-2=Y1:TK02, TOP-3=E1:TK06, BOT-3=Y1:TK06 | Y WR14 MID-2 | TOP-3=E:TK06(2); BOT-3=Y:TK06(2); MID-2=Y:WR14(2); MID-3=Y1; TOP-2=Y1
WR15 | MID-2=Y1:TK02, TOP-2=Y1:RF01, BOT-2=E1:TK06 | Y WR15 MID-2 | TOP-2=Y:RF01(4); BOT-2=E:TK06(5); MID-2=Y:WR15(1); MID-3=Y1
FC01 | MID-2=Y1, MID-3=E1:TK06 | Y FC01 MID-2 | MID-3=E:TK06(4); TOP-3=Y1; MID-2=Y:FC01(2)
FC02 | MID-2=Y1, TOP-3=E1:TK06, MID-4=E1 | Y FC02 MID-2, E TK03 MID-4 | MID-2=Y:FC02(1); TOP-3=E:TK06(3); MID-3=E1; BOT-3=Y1; MID-4=E:TK03(2)
FC03 | MID-2=Y1, MID-3=E1:TK06, MID-1=Y1:TK02 | Y FC03 MID-2 | MID-3=E:TK06(4); MID-1=Y:TK02(2); BOT-2=Y1; MID-2=Y:FC03(2)
FC04 | MID-2=Y1, TOP-2=Y1:TK02, MID-4=E1 | Y FC04 MID-2, E TK03 MID-4 | MID-2=Y:FC04(1); TOP-2=Y:TK02(5); BOT-2=Y1; MID-3=E1
FC05 | MID-2=Y1, TOP-3=E1:TK06, BOT-3=E1:RF01 | Y FC05 MID-2 | TOP-3=E:TK06(4); BOT-3=E1; MID-3=Y1; MID-2=Y:FC05(1)
FC06 | MID-2=Y2, MID-3=E1:TK06, TOP-2=Y1:TK02 | Y FC06 MID-2 | MID-3=E:TK06(3); TOP-2=Y:TK02(1); BOT-2=Y1; MID-1=Y2; MID-2=Y:FC06(3)
FC07 | MID-2=Y2, TOP-5=E1:TK06{-1}, BOT-5=E1:TK02{-2}, TOP-1=Y1:TK02{-1} | Y FC07 MID-2 | MID-2=Y:FC07(5); MID-3=Y1; TOP-2=Y1; BOT-2=Y1
FC08 | MID-2=Y2, TOP-1=Y1:TK02, BOT-2=E1:TK06 | Y FC08 MID-2 | TOP-1=Y:TK02(2); BOT-2=E:TK06(5); MID-3=Y1; MID-2=Y:FC08(5)
FC09 | MID-2=Y2, TOP-1=Y1:TK02{-1}, BOT-5=E1:TK02{-1} | Y FC09 MID-2 | MID-2=Y:FC09(4); MID-3=Y1; TOP-2=Y1; BOT-2=Y1; MID-1=Y2
FC10 | MID-2=Y3, MID-4=E1:TK06, TOP-3=E1:LW01, BOT-3=Y1:TK02 | Y FC10 MID-2 | MID-4=E:TK06(3); TOP-3=E1; BOT-3=Y:TK02(3); MID-3=Y1; TOP-2=Y1; BOT-2=Y1; MID-2=Y:FC10(3)
FC11 | MID-2=Y3, TOP-1=Y1:TK02{-1}, BOT-5=E1:TK02{-1}, TOP-5=E1:TK06 | Y FC11 MID-2 | MID-2=Y:FC11(6); MID-3=Y1; TOP-2=Y1; BOT-2=Y1; BOT-1=Y2
FC12 | MID-2=Y3, MID-4=E1:TK06, TOP-3=E1:TK02, MID-1=Y1:TK06 | Y FC12 MID-2 | MID-4=E:TK06(2); TOP-3=Y1; MID-1=Y:TK06(2); MID-3=Y1; BOT-3=Y1; MID-2=Y:FC12(6)
FC13 | MID-2=Y1:TK02, MID-4=E1:TK06, MID-3=E1:TK02 | Y FC13 MID-2 | MID-4=E:TK06(2); MID-3=Y1; MID-1=Y2; MID-2=Y:FC13(2)
FC14 | MID-2=Y1:RF01, MID-3=E1:TK06, BOT-3=E1:TK02 | Y FC14 MID-2 | MID-3=E:TK06(4); BOT-3=E:TK02(2); TOP-3=Y1; MID-2=Y:FC14(2)
RFT1 | MID-2=Y1 | Y RFT1 MID-2 | MID-2=Y:RFT1(1); MID-3=Y1; BOT-1=Y2
RFT2 | MID-2=Y1 | Y RFT2 MID-2 | Y hand ends with RFT3; MID-2=Y:RFT2(1); TOP-3=Y1; MID-3=Y1
RFT3 | MID-2=Y1, MID-3=E1:LW01, MID-4=E1:TK06 | Y RFT3 MID-2 | MID-4=E:TK06(3); MID-3=Y1; MID-2=Y:RFT3(2)
RFT4 | MID-2=Y3 | Y RFT4 MID-2 | MID-2=Y:RFT4(1); MID-3=N0; MID-1=Y1
RFT5 | MID-2=Y1, TOP-2=Y1:TK02 | Y RFT5 MID-2 | TOP-2=Y:TK02(4); BOT-2=Y1; MID-3=Y1; MID-2=Y:RFT5(1)
RFT6 | MID-2=Y2 | Y RFT6 MID-2 | MID-2=Y:RFT6(3); MID-4=Y1; MID-3=Y1; MID-1=Y2
RFT7 | start board | Y RFT7 MID-1 | MID-1=Y:RFT7(1); MID-2=N0; TOP-1=Y1
RFT8 | start board | Y RFT8 MID-1 | MID-1=Y:RFT8(2); MID-2=N0; TOP-1=Y1
RFT9 | start board | Y RFT9 MID-1 | MID-1=Y:RFT9(3); MID-2=N0; TOP-1=Y1
WRT1 | MID-2=Y1 | Y WRT1 MID-2 | MID-2=Y:WRT1(2); MID-3=Y1; TOP-1=Y2
WRT2 | MID-2=Y1 | Y WRT2 MID-2 | MID-2=Y:WRT2(3); MID-3=Y1; TOP-2=N0
WRT3 | MID-2=Y1, TOP-2=E1:TK06, BOT-2=Y1:TK02 | Y WRT3 MID-2 | TOP-2=E:TK06(4); BOT-2=Y:TK02(3); MID-3=Y1; MID-2=Y:WRT3(1)
"""  # noqa: E501
ROWS = cases(CASES)
IDS = [f"{row[0]}-{index}" for index, row in enumerate(ROWS, start=1)]


@pytest.fixture(scope="module")
def cards() -> CardSet:
    """Return our cards, and K01 to fill the decks with, which the notation expects."""
    document: dict[str, Any] = json.loads((resources.files("croupier.games.lanes.cards") / "cards.json").read_text())
    filler = {"id": "K01", "name": "Filler", "tier": "common", "cost": 1, "power": 1, "pattern": ""}
    return load_cards({**document, "cards": [*document["cards"], filler]})


def mirrored(text: str) -> str:
    """Return a line as the other side sees it: sides and columns change places, lanes do not."""
    text = re.sub(r"(TOP|MID|BOT)-(\d)", lambda found: f"{found[1]}-{6 - int(found[2])}", text)
    text = re.sub(r"(\d+)-(\d+)→", r"\2-\1→", text)
    return re.sub(r"(?<![A-Z])[YE](?=[ :\d])", lambda found: "E" if found[0] == "Y" else "Y", text)


def test_there_is_a_case_for_every_card(cards):
    assert list(dict.fromkeys(row[0] for row in ROWS)) == [card.id for card in cards if card.id != "K01"]
    assert all(f" {row[0]} " in row[2] for row in ROWS)


@pytest.mark.parametrize(("card_id", "set_up", "plays", "expected"), ROWS, ids=IDS)
def test_a_card_does_what_was_worked_out_by_hand(cards, card_id, set_up, plays, expected):
    run_case(cards, Rules.seed(), set_up, plays, expected)


@pytest.mark.parametrize(("card_id", "set_up", "plays", "expected"), ROWS, ids=IDS)
def test_a_card_does_the_same_for_the_other_side(cards, card_id, set_up, plays, expected):
    run_case(cards, Rules.seed(), *map(mirrored, (set_up, plays, expected)))


def test_a_line_is_mirrored_as_it_should_be():
    line = "MID-2=Y1, TOP-3=E1:TK06{-1}; Y LW01 MID-2; lanes 2-1→Y 4; Y hand ends with RFT1"

    assert mirrored(line) == "MID-4=E1, TOP-3=Y1:TK06{-1}; E LW01 MID-4; lanes 1-2→E 4; E hand ends with RFT1"
