"""Cities people fly to, by their IATA city code, with their airports and Chinese names.

Source: our own table. Which airports share a city code follows IATA's metropolitan areas; names are the ones in everyday use.
Where a city has one airport its code is the airport's. Of the codes that name both a city and an airport,
only SHA, CTU and HOU are read as the city.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

# code | English | simplified | traditional where it differs | airports where they differ, the main one first
_TABLE = """
SHA|Shanghai|上海||PVG SHA
BJS|Beijing|北京||PEK PKX
CAN|Guangzhou|广州|廣州|
SZX|Shenzhen|深圳||
CTU|Chengdu|成都||TFU CTU
CKG|Chongqing|重庆|重慶|
HGH|Hangzhou|杭州||
NKG|Nanjing|南京||
SIA|Xi'an|西安||XIY
WUH|Wuhan|武汉|武漢|
XMN|Xiamen|厦门|廈門|
KMG|Kunming|昆明||
TAO|Qingdao|青岛|青島|
DLC|Dalian|大连|大連|
TSN|Tianjin|天津||
CSX|Changsha|长沙|長沙|
CGO|Zhengzhou|郑州|鄭州|
HAK|Haikou|海口||
SYX|Sanya|三亚|三亞|
HRB|Harbin|哈尔滨|哈爾濱|
SHE|Shenyang|沈阳|瀋陽|
CGQ|Changchun|长春|長春|
URC|Urumqi|乌鲁木齐|烏魯木齊|
FOC|Fuzhou|福州||
NNG|Nanning|南宁|南寧|
KWE|Guiyang|贵阳|貴陽|
LXA|Lhasa|拉萨|拉薩|
LHW|Lanzhou|兰州|蘭州|
TNA|Jinan|济南|濟南|
HFE|Hefei|合肥||
KHN|Nanchang|南昌||
TYN|Taiyuan|太原||
KWL|Guilin|桂林||
LJG|Lijiang|丽江|麗江|
WNZ|Wenzhou|温州|溫州|
NGB|Ningbo|宁波|寧波|
WUX|Wuxi|无锡|無錫|
ZUH|Zhuhai|珠海||
HKG|Hong Kong|香港||
MFM|Macau|澳门|澳門|
TPE|Taipei|台北|臺北|
KHH|Kaohsiung|高雄||
TYO|Tokyo|东京|東京|HND NRT
OSA|Osaka|大阪||KIX ITM
SPK|Sapporo|札幌||CTS OKD
NGO|Nagoya|名古屋||
FUK|Fukuoka|福冈|福岡|
OKA|Okinawa|冲绳|沖繩|
SEL|Seoul|首尔|首爾|ICN GMP
PUS|Busan|釜山||
CJU|Jeju|济州|濟州|
BKK|Bangkok|曼谷||
HKT|Phuket|普吉||
CNX|Chiang Mai|清迈|清邁|
SIN|Singapore|新加坡||
KUL|Kuala Lumpur|吉隆坡||
PEN|Penang|槟城|檳城|
JKT|Jakarta|雅加达|雅加達|CGK HLP
DPS|Bali|巴厘岛|峇里島|
MNL|Manila|马尼拉|馬尼拉|
CEB|Cebu|宿务|宿霧|
SGN|Ho Chi Minh City|胡志明市||
HAN|Hanoi|河内|河內|
DAD|Da Nang|岘港|峴港|
PNH|Phnom Penh|金边|金邊|KTI
RGN|Yangon|仰光||
DEL|Delhi|德里||
BOM|Mumbai|孟买|孟買|
BLR|Bengaluru|班加罗尔|班加羅爾|
MAA|Chennai|金奈||
CCU|Kolkata|加尔各答|加爾各答|
KTM|Kathmandu|加德满都|加德滿都|
CMB|Colombo|科伦坡|可倫坡|
MLE|Male|马累|馬累|
DXB|Dubai|迪拜|杜拜|
AUH|Abu Dhabi|阿布扎比||
DOH|Doha|多哈||
RUH|Riyadh|利雅得||
TLV|Tel Aviv|特拉维夫|特拉維夫|
IST|Istanbul|伊斯坦布尔|伊斯坦堡|
CAI|Cairo|开罗|開羅|
NBO|Nairobi|内罗毕|奈洛比|
ADD|Addis Ababa|亚的斯亚贝巴|阿迪斯阿貝巴|
JNB|Johannesburg|约翰内斯堡|約翰尼斯堡|
CPT|Cape Town|开普敦|開普敦|
LOS|Lagos|拉各斯||
CMN|Casablanca|卡萨布兰卡|卡薩布蘭卡|
RAI|Praia|普拉亚|普拉亞|
LON|London|伦敦|倫敦|LHR LGW STN LTN LCY SEN
MAN|Manchester|曼彻斯特|曼徹斯特|
EDI|Edinburgh|爱丁堡|愛丁堡|
BHX|Birmingham|伯明翰||
DUB|Dublin|都柏林||
PAR|Paris|巴黎||CDG ORY BVA
NCE|Nice|尼斯||
LYS|Lyon|里昂||
AMS|Amsterdam|阿姆斯特丹||
BRU|Brussels|布鲁塞尔|布魯塞爾|
FRA|Frankfurt|法兰克福|法蘭克福|
MUC|Munich|慕尼黑||
BER|Berlin|柏林||
HAM|Hamburg|汉堡|漢堡|
DUS|Dusseldorf|杜塞尔多夫|杜塞道夫|
ZRH|Zurich|苏黎世|蘇黎世|
GVA|Geneva|日内瓦|日內瓦|
VIE|Vienna|维也纳|維也納|
PRG|Prague|布拉格||
BUD|Budapest|布达佩斯|布達佩斯|
WAW|Warsaw|华沙|華沙|
CPH|Copenhagen|哥本哈根||
STO|Stockholm|斯德哥尔摩|斯德哥爾摩|ARN BMA
OSL|Oslo|奥斯陆|奧斯陸|
HEL|Helsinki|赫尔辛基|赫爾辛基|
REK|Reykjavik|雷克雅未克|雷克雅維克|KEF
MAD|Madrid|马德里|馬德里|
BCN|Barcelona|巴塞罗那|巴塞隆納|
LIS|Lisbon|里斯本||
OPO|Porto|波尔图|波多|
ROM|Rome|罗马|羅馬|FCO CIA
MIL|Milan|米兰|米蘭|MXP LIN BGY
VCE|Venice|威尼斯||
NAP|Naples|那不勒斯||
ATH|Athens|雅典||
MOW|Moscow|莫斯科||SVO DME VKO
LED|Saint Petersburg|圣彼得堡|聖彼得堡|
NYC|New York|纽约|紐約|JFK LGA EWR
CHI|Chicago|芝加哥||ORD MDW
WAS|Washington|华盛顿|華盛頓|IAD DCA
BOS|Boston|波士顿|波士頓|
PHL|Philadelphia|费城|費城|
PVD|Providence|普罗维登斯|普羅維登斯|
ATL|Atlanta|亚特兰大|亞特蘭大|
MIA|Miami|迈阿密|邁阿密|
ORL|Orlando|奥兰多|奧蘭多|MCO
DFW|Dallas|达拉斯|達拉斯|
HOU|Houston|休斯敦|休士頓|IAH HOU
DEN|Denver|丹佛||
LAS|Las Vegas|拉斯维加斯|拉斯維加斯|
LAX|Los Angeles|洛杉矶|洛杉磯|
SFO|San Francisco|旧金山|舊金山|
SEA|Seattle|西雅图|西雅圖|
SAN|San Diego|圣迭戈|聖地牙哥|
PHX|Phoenix|菲尼克斯|鳳凰城|
DTT|Detroit|底特律||DTW
MSP|Minneapolis|明尼阿波利斯||
HNL|Honolulu|檀香山||
YTO|Toronto|多伦多|多倫多|YYZ YTZ
YVR|Vancouver|温哥华|溫哥華|
YMQ|Montreal|蒙特利尔|蒙特婁|YUL
MEX|Mexico City|墨西哥城||
CUN|Cancun|坎昆||
SAO|Sao Paulo|圣保罗|聖保羅|GRU CGH VCP
RIO|Rio de Janeiro|里约热内卢|里約熱內盧|GIG SDU
BUE|Buenos Aires|布宜诺斯艾利斯|布宜諾斯艾利斯|EZE AEP
SCL|Santiago|圣地亚哥|聖地亞哥|
BOG|Bogota|波哥大||
LIM|Lima|利马|利馬|
SYD|Sydney|悉尼|雪梨|
MEL|Melbourne|墨尔本|墨爾本|
BNE|Brisbane|布里斯班||
PER|Perth|珀斯|伯斯|
AKL|Auckland|奥克兰|奧克蘭|
CHC|Christchurch|基督城||
"""


@dataclass(frozen=True, slots=True)
class City:
    """A city or metropolitan area: `zh` is simplified, `zh_hant` traditional; the main airport comes first."""

    code: str
    name: str
    zh: str
    zh_hant: str
    airports: tuple[str, ...]


@cache
def _cities() -> dict[str, City]:
    rows = (line.split("|") for line in _TABLE.strip().splitlines())
    return {code: City(code, name, zh, hant or zh, tuple(airports.split()) or (code,)) for code, name, zh, hant, airports in rows}


@cache
def _by_airport() -> dict[str, City]:
    return {airport: city for city in _cities().values() for airport in city.airports}


def cities() -> Iterable[City]:
    """Every city of the table, also those with one airport."""
    return _cities().values()


def city_of(airport: str) -> City | None:
    """The city an airport belongs to, by the airport's code."""
    return _by_airport().get(airport)


def metros() -> Iterable[City]:
    """Cities with a code of their own or more than one airport."""
    return (city for city in _cities().values() if city.airports != (city.code,))


def metro(code: str) -> City | None:
    """TYO, LON, SHA...: the metropolitan area with this code; None where the code is only an airport's."""
    city = _cities().get(code)
    return city if city and city.airports != (city.code,) else None
