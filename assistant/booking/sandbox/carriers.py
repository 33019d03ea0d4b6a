"""Who flies from where, with what, and how they let people hold a fare. Hubs are public knowledge; the hold rules are ours."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class HoldRule(StrEnum):
    SEATS = "seats"  # every fare can be held, with the chosen seats
    FARE = "fare"  # all but the lightest fare can be held, seats not
    NONE = "none"  # pay at once


@dataclass(frozen=True, slots=True)
class Carrier:
    """`level` scales its fares, `reach` is the longest nonstop in km, `budget` a single-class airline with narrow aircraft."""

    code: str
    hubs: tuple[str, ...]
    hold: HoldRule
    level: float
    reach: int
    budget: bool = False


# code, hubs, hold rule, fare level; budget airlines carry a reach of their own
_NETWORK = """
MU PVG,SHA,KMG,XIY seats 0.94
FM SHA,PVG fare 0.93
HO PVG,SHA none 0.88
CA PEK,CTU,TFU,CKG fare 0.98
CZ CAN,PKX,URC,SZX seats 0.95
HU HAK,PEK,XIY,SZX none 0.93
3U CTU,TFU,CKG fare 0.90
MF XMN,FOC fare 0.92
ZH SZX none 0.91
CX HKG seats 1.12
HX HKG none 0.90
CI TPE,KHH fare 1.02
BR TPE seats 1.06
NX MFM none 0.92
JL HND,NRT,KIX seats 1.10
NH HND,NRT,ITM fare 1.11
KE ICN,GMP seats 1.04
OZ ICN,GMP fare 1.00
SQ SIN seats 0.99
TG BKK fare 1.00
MH KUL fare 0.96
GA CGK,DPS none 0.95
PR MNL,CEB none 0.92
VN SGN,HAN fare 0.93
AI DEL,BOM fare 0.92
EK DXB seats 1.08
EY AUH fare 1.03
QR DOH seats 1.09
SV RUH,JED none 0.95
TK IST seats 0.98
LY TLV none 1.05
MS CAI none 0.90
ET ADD fare 0.92
KQ NBO none 0.93
SA JNB,CPT fare 0.97
AT CMN none 0.92
BA LHR,LGW,LCY fare 1.08
VS LHR,MAN seats 1.06
EI DUB fare 0.95
AF CDG,ORY fare 1.05
KL AMS seats 1.04
LH FRA,MUC seats 1.08
LX ZRH,GVA fare 1.12
OS VIE fare 1.02
SN BRU none 0.98
SK CPH,ARN,OSL fare 1.01
AY HEL seats 1.00
FI KEF none 0.95
LO WAW fare 0.94
IB MAD fare 0.99
TP LIS,OPO fare 0.95
AZ FCO,LIN fare 0.99
A3 ATH none 0.96
SU SVO none 0.90
UA SFO,DEN,ORD,EWR,IAD,IAH,LAX seats 1.02
DL ATL,JFK,DTW,MSP,SEA,LAX,BOS fare 1.05
AA DFW,CLT,MIA,ORD,PHL,PHX,JFK fare 1.02
AS SEA,PDX,SFO seats 0.97
AC YYZ,YVR,YUL seats 1.02
AM MEX none 0.92
CM PTY fare 0.94
AV BOG none 0.90
LA SCL,LIM,GRU fare 0.95
AR EZE,AEP none 0.90
QF SYD,MEL,BNE,PER seats 1.12
NZ AKL,CHC seats 1.05
9C PVG,SHA,KIX none 0.80 5000
MM KIX,NRT none 0.82 5000
TR SIN none 0.80 9500
FD BKK,DMK none 0.78 5000
AK KUL none 0.76 5000
6E DEL,BOM,BLR none 0.78 5200
U2 LGW,LTN,GVA,MXP none 0.78 5000
FR STN,DUB,BGY,CRL none 0.72 5000
VY BCN none 0.78 5000
VA SYD,MEL,BNE none 0.86 5200
B6 JFK,BOS,MCO none 0.86 5500
WN DEN,MDW,LAS,DAL,BWI none 0.88 5200
F9 DEN,LAS,MCO none 0.76 5000
"""

_LONG_HAUL_REACH = 15_300


@cache
def carriers() -> dict[str, Carrier]:
    rows = (line.split() for line in _NETWORK.strip().splitlines())
    return {
        code: Carrier(
            code=code,
            hubs=tuple(hubs.split(",")),
            hold=HoldRule(hold),
            level=float(level),
            reach=int(reach[0]) if reach else _LONG_HAUL_REACH,
            budget=bool(reach),
        )
        for code, hubs, hold, level, *reach in rows
    }


@cache
def at_hub(airport: str) -> tuple[Carrier, ...]:
    """The carriers that have this airport as a hub."""
    return tuple(c for c in carriers().values() if airport in c.hubs)
