"""Names the data packages do not know: what people call cities, airports and regions, in both languages.

Common usage; metropolitan areas and their airports are in `places`.
"""

from __future__ import annotations

NICKNAMES: dict[str, str] = {  # what it is called: English city as in `places` or airportsdata, or a code
    "new york city": "New York", "ny": "New York", "nyc": "New York", "n.y.c.": "New York", "n.y.": "New York", "big apple": "New York", "manhattan": "New York",
    "brooklyn": "New York", "la": "Los Angeles", "l.a.": "Los Angeles", "l.a": "Los Angeles", "los angles": "Los Angeles", "los angels": "Los Angeles",
    "sf": "San Francisco", "san fran": "San Francisco", "frisco": "San Francisco", "san fransisco": "San Francisco", "sfran": "San Francisco", "bay area": "San Francisco",
    "sd": "San Diego", "vegas": "Las Vegas", "las vagas": "Las Vegas", "lv": "Las Vegas", "philly": "Philadelphia", "chi-town": "Chicago", "chitown": "Chicago",
    "chi town": "Chicago", "windy city": "Chicago", "dc": "Washington", "d.c.": "Washington", "d.c": "Washington", "washington dc": "Washington", "washington d.c.": "Washington",
    "washington, dc": "Washington", "washington, d.c.": "Washington", "washington d.c": "Washington", "atl": "Atlanta", "hotlanta": "Atlanta", "nola": "New Orleans",
    "pdx": "Portland", "slc": "Salt Lake City", "salt lake": "Salt Lake City", "kc": "Kansas City", "st louis": "St Louis", "st. louis": "St Louis", "saint louis": "St Louis",
    "ft lauderdale": "Fort Lauderdale", "ft. lauderdale": "Fort Lauderdale", "ft myers": "Fort Myers", "ft worth": "Fort Worth", "ft. worth": "Fort Worth",
    "st pete": "St Petersburg", "minneapolis st paul": "Minneapolis", "twin cities": "Minneapolis", "dfw": "Dallas", "mexico city": "Mexico City", "cdmx": "Mexico City",
    "ciudad de mexico": "Mexico City", "new delhi": "Delhi", "bombay": "Mumbai", "calcutta": "Kolkata", "madras": "Chennai", "bangalore": "BLR", "saigon": "Ho Chi Minh City",
    "hcmc": "Ho Chi Minh City", "peking": "Beijing", "canton": "Guangzhou", "kl": "Kuala Lumpur", "hk": "Hong Kong", "hongkong": "Hong Kong", "bkk": "Bangkok", "rio": "GIG",
    "st. petersburg": "St Petersburg", "bali": "DPS", "maui": "Kahului", "oahu": "Honolulu", "kauai": "Lihue", "big island": "KOA", "yvr": "Vancouver", "quebec": "Quebec City",
    "tel aviv": "Tel Aviv", "sydney": "Sydney", "bristol": "Bristol", "washington": "Washington", "orange county": "Santa Ana",
}  # fmt: skip
AIRPORT_NAMES: dict[str, str] = {  # how an airport is called: its code
    "jfk": "JFK", "kennedy": "JFK", "john f kennedy": "JFK", "john f. kennedy": "JFK", "jkf": "JFK", "laguardia": "LGA", "la guardia": "LGA", "newark": "EWR", "newark liberty": "EWR",
    "o'hare": "ORD", "ohare": "ORD", "o hare": "ORD", "o' hare": "ORD", "midway": "MDW", "heathrow": "LHR", "gatwick": "LGW", "stansted": "STN", "luton": "LTN", "london city airport": "LCY",
    "charles de gaulle": "CDG", "orly": "ORY", "narita": "NRT", "haneda": "HND", "incheon": "ICN", "gimpo": "GMP", "kansai": "KIX", "itami": "ITM", "pudong": "PVG", "hongqiao": "SHA",
    "daxing": "PKX", "beijing capital": "PEK", "dulles": "IAD", "reagan": "DCA", "reagan national": "DCA", "sea-tac": "SEA", "seatac": "SEA", "sea tac": "SEA", "logan": "BOS", "mccarran": "LAS",
    "hobby": "HOU", "love field": "DAL", "hartsfield": "ATL", "hartsfield-jackson": "ATL", "schiphol": "AMS", "changi": "SIN", "suvarnabhumi": "BKK", "don mueang": "DMK", "chek lap kok": "HKG",
    "fiumicino": "FCO", "malpensa": "MXP", "linate": "LIN", "barajas": "MAD", "el prat": "BCN", "tegel": "BER", "brandenburg": "BER", "pearson": "YYZ", "sheremetyevo": "SVO", "domodedovo": "DME",
    "taoyuan": "TPE", "songshan": "TSA", "baiyun": "CAN", "john wayne": "SNA", "burbank": "BUR", "long beach": "LGB", "oakland": "OAK", "benito juarez": "MEX", "ezeiza": "EZE", "guarulhos": "GRU",
    "tullamarine": "MEL", "indira gandhi": "DEL", "bush intercontinental": "IAH", "george bush": "IAH", "bwi": "BWI",
}  # fmt: skip
ZH_AIRPORT_NAMES: dict[str, str] = {
    "浦东": "PVG", "虹桥": "SHA", "上海浦东": "PVG", "上海虹桥": "SHA", "首都机场": "PEK", "首都国际": "PEK", "北京首都": "PEK", "大兴机场": "PKX", "北京大兴": "PKX", "羽田": "HND", "成田": "NRT", "东京羽田": "HND", "东京成田": "NRT",
    "关西": "KIX", "大阪关西": "KIX", "伊丹": "ITM", "仁川": "ICN", "首尔仁川": "ICN", "金浦": "GMP", "首尔金浦": "GMP", "希思罗": "LHR", "希斯罗": "LHR", "盖特威克": "LGW", "戴高乐": "CDG", "奥利机场": "ORY", "肯尼迪": "JFK", "拉瓜迪亚": "LGA",
    "纽瓦克": "EWR", "奥黑尔": "ORD", "杜勒斯": "IAD", "樟宜": "SIN", "桃园": "TPE", "台北桃园": "TPE", "松山机场": "TSA", "台北松山": "TSA", "素万那普": "BKK", "廊曼": "DMK", "双流": "CTU", "天府机场": "TFU", "天府": "TFU", "成都双流": "CTU",
    "成都天府": "TFU", "白云机场": "CAN", "广州白云": "CAN", "宝安机场": "SZX", "深圳宝安": "SZX", "萧山机场": "HGH", "杭州萧山": "HGH", "禄口": "NKG", "江北机场": "CKG", "天河机场": "WUH", "咸阳机场": "XIY", "西安咸阳": "XIY",
    "长水": "KMG", "高崎": "XMN", "翔安机场": "XMN", "滨海机场": "TSN", "天津滨海": "TSN", "流亭": "TAO", "胶东机场": "TAO", "黄花机场": "CSX", "新郑机场": "CGO", "美兰机场": "HAK", "凤凰机场": "SYX", "桃仙": "SHE",
    "太平机场": "HRB", "龙嘉": "CGQ", "周水子": "DLC", "地窝堡": "URC", "中川机场": "LHW", "武宿": "TYN", "遥墙": "TNA", "新桥机场": "HFE", "昌北": "KHN", "吴圩": "NNG", "两江机场": "KWL", "龙洞堡": "KWE", "贡嘎": "LXA",
    "史基浦": "AMS",
}  # fmt: skip
ZH_CITIES: dict[str, str] = {  # Chinese names geonames lacks or shares out oddly: English city as in `places` or airportsdata, or a code
    "纽约": "New York", "纽约市": "New York", "洛杉矶": "Los Angeles", "三藩市": "San Francisco", "旧金山": "San Francisco", "华盛顿": "Washington", "伦敦": "London", "巴黎": "Paris", "东京": "Tokyo", "帝都": "Beijing", "魔都": "Shanghai",
    "羊城": "Guangzhou", "山城": "Chongqing", "首尔": "Seoul", "汉城": "Seoul", "新加坡": "Singapore", "狮城": "Singapore", "香港": "Hong Kong", "台北": "Taipei", "吉隆坡": "Kuala Lumpur", "巴厘岛": "DPS", "普吉": "Phuket", "普吉岛": "Phuket",
    "苏梅岛": "USM", "长滩岛": "MPH", "冲绳": "Naha", "札幌": "Sapporo", "北海道": "Sapporo", "济州岛": "CJU", "济州": "CJU", "夏威夷": "Honolulu", "火奴鲁鲁": "Honolulu", "檀香山": "Honolulu", "塞班": "SPN", "塞班岛": "SPN",
    "马尔代夫": "MLE", "马累": "MLE", "胡志明": "Ho Chi Minh City", "胡志明市": "Ho Chi Minh City", "西贡": "Ho Chi Minh City", "迪拜": "Dubai", "杜拜": "Dubai", "伊斯坦布尔": "Istanbul", "莫斯科": "Moscow", "圣彼得堡": "St Petersburg",
    "柏林": "Berlin", "慕尼黑": "Munich", "法兰克福": "FRA", "罗马": "Rome", "米兰": "Milan", "威尼斯": "Venice", "马德里": "Madrid", "巴塞罗那": "Barcelona", "里斯本": "Lisbon", "苏黎世": "Zurich", "日内瓦": "Geneva", "维也纳": "Vienna",
    "阿姆斯特丹": "Amsterdam", "布鲁塞尔": "Brussels", "哥本哈根": "Copenhagen", "斯德哥尔摩": "Stockholm", "赫尔辛基": "Helsinki", "雅典": "Athens", "曼彻斯特": "Manchester", "爱丁堡": "Edinburgh", "都柏林": "Dublin", "悉尼": "Sydney",
    "雪梨": "Sydney", "墨尔本": "Melbourne", "布里斯班": "Brisbane", "珀斯": "Perth", "奥克兰": "Auckland", "皇后镇": "Queenstown", "多伦多": "Toronto", "温哥华": "Vancouver", "蒙特利尔": "YUL", "西雅图": "Seattle", "芝加哥": "Chicago",
    "波士顿": "Boston", "休斯顿": "Houston", "休斯敦": "Houston", "达拉斯": "Dallas", "迈阿密": "Miami", "亚特兰大": "Atlanta", "拉斯维加斯": "Las Vegas", "费城": "Philadelphia", "丹佛": "Denver", "圣地亚哥": "San Diego", "圣何塞": "San Jose",
    "凤凰城": "Phoenix", "底特律": "Detroit", "奥兰多": "Orlando", "匹兹堡": "Pittsburgh", "墨西哥城": "Mexico City", "圣保罗": "Sao Paulo", "开罗": "Cairo", "内罗毕": "Nairobi", "约翰内斯堡": "Johannesburg", "开普敦": "Cape Town", "德里": "DEL",
    "新德里": "DEL", "孟买": "Mumbai", "班加罗尔": "BLR", "加德满都": "Kathmandu", "科伦坡": "Colombo", "金边": "KTI", "暹粒": "Siem Reap", "吴哥": "Siem Reap", "河内": "Hanoi", "岘港": "Da Nang", "芽庄": "Nha Trang", "清迈": "Chiang Mai",
    "曼谷": "Bangkok", "雅加达": "Jakarta", "马尼拉": "Manila", "宿务": "CEB", "万象": "Vientiane", "仰光": "Yangon", "多哈": "Doha", "阿布扎比": "Abu Dhabi", "利雅得": "Riyadh", "特拉维夫": "Tel Aviv", "京都": "Osaka", "名古屋": "Nagoya", "福冈": "Fukuoka",
    "澳门": "MFM", "高雄": "KHH", "大理": "DLU", "柴达木": "HXD",
}  # fmt: skip
ZH_REGIONS: dict[str, str] = {  # provinces and regions: main airports, best first
    "河北": "SJW", "河北省": "SJW", "山西": "TYN", "内蒙古": "HET", "内蒙": "HET", "辽宁": "SHE DLC", "吉林省": "CGQ", "黑龙江": "HRB", "江苏": "NKG", "浙江": "HGH", "安徽": "HFE", "福建": "XMN FOC", "江西": "KHN", "山东": "TNA TAO",
    "河南": "CGO", "湖北": "WUH", "湖南": "CSX", "广东": "CAN SZX", "广西": "NNG KWL", "海南": "HAK SYX", "海南岛": "HAK SYX", "四川": "TFU CTU", "贵州": "KWE", "云南": "KMG", "西藏": "LXA", "陕西": "XIY", "甘肃": "LHW", "青海": "XNN",
    "宁夏": "INC", "新疆": "URC", "日本": "HND NRT KIX", "韩国": "ICN", "泰国": "BKK", "越南": "SGN HAN", "马来西亚": "KUL", "印尼": "CGK DPS", "菲律宾": "MNL", "美国": "", "英国": "LHR", "法国": "CDG", "德国": "FRA", "意大利": "FCO", "西班牙": "MAD",
    "澳大利亚": "SYD MEL", "澳洲": "SYD MEL", "新西兰": "AKL", "加拿大": "YVR YYZ", "俄罗斯": "SVO", "欧洲": "", "东南亚": "", "台湾": "TPE", "印度": "DEL", "埃及": "CAI", "土耳其": "IST", "加州": "LAX SFO", "佛罗里达": "MIA MCO",
}  # fmt: skip
COUNTRIES: dict[str, tuple[str, str]] = {  # as a qualifier after a city, or alone: ISO country, main airports
    "united states": ("US", ""), "usa": ("US", ""), "u.s.": ("US", ""), "us": ("US", ""), "america": ("US", ""), "uk": ("GB", "LHR"), "u.k.": ("GB", "LHR"), "united kingdom": ("GB", "LHR"), "england": ("GB", "LHR MAN"),
    "scotland": ("GB", "EDI GLA"), "great britain": ("GB", "LHR"), "ireland": ("IE", "DUB"), "france": ("FR", "CDG"), "germany": ("DE", "FRA MUC"), "italy": ("IT", "FCO MXP"), "spain": ("ES", "MAD BCN"), "portugal": ("PT", "LIS"),
    "netherlands": ("NL", "AMS"), "belgium": ("BE", "BRU"), "switzerland": ("CH", "ZRH GVA"), "austria": ("AT", "VIE"), "greece": ("GR", "ATH"), "norway": ("NO", "OSL"), "sweden": ("SE", "ARN"), "denmark": ("DK", "CPH"), "finland": ("FI", "HEL"),
    "poland": ("PL", "WAW"), "russia": ("RU", "SVO"), "turkey": ("TR", "IST"), "egypt": ("EG", "CAI"), "kenya": ("KE", "NBO"), "south africa": ("ZA", "JNB CPT"), "morocco": ("MA", "CMN"), "india": ("IN", "DEL BOM"), "china": ("CN", "PEK PVG"),
    "japan": ("JP", "HND NRT KIX"), "south korea": ("KR", "ICN"), "korea": ("KR", "ICN"), "thailand": ("TH", "BKK"), "vietnam": ("VN", "SGN HAN"), "malaysia": ("MY", "KUL"), "indonesia": ("ID", "CGK DPS"), "philippines": ("PH", "MNL"),
    "australia": ("AU", "SYD MEL"), "new zealand": ("NZ", "AKL"), "canada": ("CA", "YYZ YVR"), "mexico": ("MX", "MEX CUN"), "brazil": ("BR", "GRU GIG"), "argentina": ("AR", "EZE"), "chile": ("CL", "SCL"), "peru": ("PE", "LIM"),
    "colombia": ("CO", "BOG"), "cuba": ("CU", "HAV"), "jamaica": ("JM", "MBJ KIN"), "bahamas": ("BS", "NAS"), "dominican republic": ("DO", "PUJ SDQ"), "puerto rico": ("PR", "SJU"), "iceland": ("IS", "KEF"), "israel": ("IL", "TLV"),
    "united arab emirates": ("AE", "DXB AUH"), "uae": ("AE", "DXB AUH"), "hawaii": ("US", "HNL OGG"), "europe": ("", ""), "asia": ("", ""), "africa": ("", ""),
}  # fmt: skip
STATES: dict[str, str] = {  # abbreviations as qualifiers: name as airportsdata spells it
    "al": "Alabama", "ak": "Alaska", "az": "Arizona", "ar": "Arkansas", "ca": "California", "co": "Colorado", "ct": "Connecticut", "dc": "District of Columbia", "de": "Delaware", "fl": "Florida", "ga": "Georgia", "hi": "Hawaii", "id": "Idaho",
    "il": "Illinois", "in": "Indiana", "ia": "Iowa", "ks": "Kansas", "ky": "Kentucky", "la": "Louisiana", "me": "Maine", "md": "Maryland", "ma": "Massachusetts", "mi": "Michigan", "mn": "Minnesota", "ms": "Mississippi", "mo": "Missouri",
    "mt": "Montana", "ne": "Nebraska", "nv": "Nevada", "nh": "New Hampshire", "nj": "New Jersey", "nm": "New Mexico", "ny": "New York", "nc": "North Carolina", "nd": "North Dakota", "oh": "Ohio", "ok": "Oklahoma", "or": "Oregon",
    "pa": "Pennsylvania", "ri": "Rhode Island", "sc": "South Carolina", "sd": "South Dakota", "tn": "Tennessee", "tx": "Texas", "ut": "Utah", "vt": "Vermont", "va": "Virginia", "wa": "Washington", "wv": "West Virginia", "wi": "Wisconsin",
    "wy": "Wyoming", "bc": "British Columbia", "b.c.": "British Columbia", "on": "Ontario", "qc": "Quebec", "ab": "Alberta", "mb": "Manitoba", "sk": "Saskatchewan", "ns": "Nova Scotia", "nb": "New Brunswick", "nsw": "New South Wales",
    "qld": "Queensland", "vic": "Victoria",
}  # fmt: skip
