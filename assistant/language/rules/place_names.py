"""What people call cities, airports and states in English, where the data packages know no such name.

Common usage. One line a place: what it is (English city as in `places` or airportsdata, code, airports), then what it is called.
"""

from __future__ import annotations


def read_table(table: str) -> dict[str, str]:
    """`Philadelphia: philly, city of brotherly love` as name -> place."""
    rows = (line.split(": ", 1) for line in table.strip().splitlines())
    return {name: place for place, called in rows for name in called.split(", ")}


NICKNAMES = read_table("""
CVG: cincinnati
GSP: greenville spartanburg, greenville-spartanburg
RDU: raleigh-durham, raleigh durham
Dallas: dallas fort worth, dallas-fort worth, dallas/fort worth
SJD: cabo, cabo san lucas, los cabos
STT: st thomas, st. thomas, saint thomas, virgin islands
GUM: guam
PPT: tahiti
NAN: fiji
MLE: maldives
New York: new york city, ny, nyc, n.y.c., n.y., big apple, manhattan, brooklyn
Los Angeles: la, l.a., l.a, los angles, los angels
San Francisco: sf, san fran, frisco, san fransisco, sfran, bay area
San Diego: sd
Las Vegas: vegas, las vagas, lv
Philadelphia: philly
Chicago: chi-town, chitown, chi town, windy city
Washington: dc, d.c., d.c, washington dc, washington d.c., washington d.c, washington
Atlanta: atl, hotlanta
New Orleans: nola
Portland: pdx
Salt Lake City: slc, salt lake
Kansas City: kc
St Louis: st louis, st. louis, saint louis
Fort Lauderdale: ft lauderdale, ft. lauderdale
Fort Myers: ft myers
Fort Worth: ft worth, ft. worth
St Petersburg: st pete, st. petersburg
Minneapolis: minneapolis st paul, twin cities
Dallas: dfw
Mexico City: mexico city, cdmx, ciudad de mexico
Delhi: new delhi
Mumbai: bombay
Kolkata: calcutta
Chennai: madras
BLR: bangalore
Ho Chi Minh City: saigon, hcmc
Beijing: peking
Guangzhou: canton
Kuala Lumpur: kl
Hong Kong: hk, hongkong
Bangkok: bkk
GIG: rio
DPS: bali
Kahului: maui
Honolulu: oahu
Lihue: kauai
KOA: big island
Vancouver: yvr
Quebec City: quebec
Tel Aviv: tel aviv
Sydney: sydney
Bristol: bristol
Santa Ana: orange county
""") | {"washington, dc": "Washington", "washington, d.c.": "Washington"}
AIRPORT_NAMES = read_table("""
JFK: jfk, kennedy, john f kennedy, john f. kennedy, jkf
LGA: laguardia, la guardia
EWR: newark, newark liberty
ORD: o'hare, ohare, o hare, o' hare
MDW: midway
LHR: heathrow
LGW: gatwick
STN: stansted
LTN: luton
LCY: london city airport
CDG: charles de gaulle
ORY: orly
NRT: narita
HND: haneda
ICN: incheon
GMP: gimpo
KIX: kansai
ITM: itami
PVG: pudong
SHA: hongqiao
PKX: daxing
PEK: beijing capital
IAD: dulles
DCA: reagan, reagan national
SEA: sea-tac, seatac, sea tac
BOS: logan
LAS: mccarran
HOU: hobby
DAL: love field
ATL: hartsfield, hartsfield-jackson
AMS: schiphol
SIN: changi
BKK: suvarnabhumi
DMK: don mueang
HKG: chek lap kok
FCO: fiumicino
MXP: malpensa
LIN: linate
MAD: barajas
BCN: el prat
BER: tegel, brandenburg
YYZ: pearson
SVO: sheremetyevo
DME: domodedovo
TPE: taoyuan
TSA: songshan
CAN: baiyun
SNA: john wayne
BUR: burbank
LGB: long beach
OAK: oakland
MEX: benito juarez
EZE: ezeiza
GRU: guarulhos
MEL: tullamarine
DEL: indira gandhi
IAH: bush intercontinental, george bush
BWI: bwi
""")
COUNTRY_CODES = read_table("""
US: united states, usa, u.s., us, america, hawaii
GB: uk, u.k., united kingdom, england, scotland, great britain
IE: ireland
FR: france
DE: germany
IT: italy
ES: spain
PT: portugal
NL: netherlands
BE: belgium
CH: switzerland
AT: austria
GR: greece
NO: norway
SE: sweden
DK: denmark
FI: finland
PL: poland
RU: russia
TR: turkey
EG: egypt
KE: kenya
ZA: south africa
MA: morocco
IN: india
CN: china
JP: japan
KR: south korea, korea
TH: thailand
VN: vietnam
MY: malaysia
ID: indonesia
PH: philippines
AU: australia
NZ: new zealand
CA: canada
MX: mexico
BR: brazil
AR: argentina
CL: chile
PE: peru
CO: colombia
CU: cuba
JM: jamaica
BS: bahamas
DO: dominican republic
PR: puerto rico
IS: iceland
IL: israel
AE: united arab emirates, uae
""")
COUNTRY_AIRPORTS = read_table("""
AUA: aruba
BGI: barbados
BDA: bermuda
GCM: cayman islands, grand cayman
SJO LIR: costa rica
PTY: panama
UVF: st lucia, st. lucia, saint lucia
PLS: turks and caicos
CMB: sri lanka
KTM: nepal
TPE KHH: taiwan
KTI SAI: cambodia
SGN: ho chi minh
LHR: uk, u.k., united kingdom, great britain
LHR MAN: england
EDI GLA: scotland
DUB: ireland
CDG: france
FRA MUC: germany
FCO MXP: italy
MAD BCN: spain
LIS: portugal
AMS: netherlands
BRU: belgium
ZRH GVA: switzerland
VIE: austria
ATH: greece
OSL: norway
ARN: sweden
CPH: denmark
HEL: finland
WAW: poland
SVO: russia
IST: turkey
CAI: egypt
NBO: kenya
JNB CPT: south africa
CMN: morocco
DEL BOM: india
PEK PVG: china
HND NRT KIX: japan
ICN: south korea, korea
BKK: thailand
SGN HAN: vietnam
KUL: malaysia
CGK DPS: indonesia
MNL: philippines
SYD MEL: australia
AKL: new zealand
YYZ YVR: canada
MEX CUN: mexico
GRU GIG: brazil
EZE: argentina
SCL: chile
LIM: peru
BOG: colombia
HAV: cuba
MBJ KIN: jamaica
NAS: bahamas
PUJ SDQ: dominican republic
SJU: puerto rico
KEF: iceland
TLV: israel
DXB AUH: united arab emirates, uae
HNL OGG: hawaii
""")
CONTINENTS = ("europe", "asia", "africa", "caribbean", "south america", "southeast asia")
STATES = read_table("""
Alabama: al
Alaska: ak
Arizona: az
Arkansas: ar
California: ca
Colorado: co
Connecticut: ct
District of Columbia: dc
Delaware: de
Florida: fl
Georgia: ga
Hawaii: hi
Idaho: id
Illinois: il
Indiana: in
Iowa: ia
Kansas: ks
Kentucky: ky
Louisiana: la
Maine: me
Maryland: md
Massachusetts: ma
Michigan: mi
Minnesota: mn
Mississippi: ms
Missouri: mo
Montana: mt
Nebraska: ne
Nevada: nv
New Hampshire: nh
New Jersey: nj
New Mexico: nm
New York: ny
North Carolina: nc
North Dakota: nd
Ohio: oh
Oklahoma: ok
Oregon: or
Pennsylvania: pa
Rhode Island: ri
South Carolina: sc
South Dakota: sd
Tennessee: tn
Texas: tx
Utah: ut
Vermont: vt
Virginia: va
Washington: wa
West Virginia: wv
Wisconsin: wi
Wyoming: wy
British Columbia: bc, b.c.
Ontario: on
Quebec: qc
Alberta: ab
Manitoba: mb
Saskatchewan: sk
Nova Scotia: ns
New Brunswick: nb
New South Wales: nsw
Queensland: qld
Victoria: vic
""")
