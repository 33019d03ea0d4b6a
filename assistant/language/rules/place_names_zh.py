"""What people call cities, airports and regions in Chinese, where geonames has no such name or shares it out oddly.

Common usage. One line a place: what it is (English city as in `places` or airportsdata, code, airports), then what it is called.
"""

from __future__ import annotations

from .place_names import read_table

ZH_AIRPORT_NAMES = read_table("""
PVG: 浦东, 上海浦东
SHA: 虹桥, 上海虹桥
PEK: 首都机场, 首都国际, 北京首都
PKX: 大兴机场, 北京大兴
HND: 羽田, 东京羽田
NRT: 成田, 东京成田
KIX: 关西, 大阪关西
ITM: 伊丹
ICN: 仁川, 首尔仁川
GMP: 金浦, 首尔金浦
LHR: 希思罗, 希斯罗
LGW: 盖特威克
CDG: 戴高乐
ORY: 奥利机场
JFK: 肯尼迪
LGA: 拉瓜迪亚
EWR: 纽瓦克
ORD: 奥黑尔
IAD: 杜勒斯
SIN: 樟宜
TPE: 桃园, 台北桃园
TSA: 松山机场, 台北松山
BKK: 素万那普
DMK: 廊曼
CTU: 双流, 成都双流
TFU: 天府机场, 天府, 成都天府
CAN: 白云机场, 广州白云
SZX: 宝安机场, 深圳宝安
HGH: 萧山机场, 杭州萧山
NKG: 禄口
CKG: 江北机场
WUH: 天河机场
XIY: 咸阳机场, 西安咸阳
KMG: 长水
XMN: 高崎, 翔安机场
TSN: 滨海机场, 天津滨海
TAO: 流亭, 胶东机场
CSX: 黄花机场
CGO: 新郑机场
HAK: 美兰机场
SYX: 凤凰机场
SHE: 桃仙
HRB: 太平机场
CGQ: 龙嘉
DLC: 周水子
URC: 地窝堡
LHW: 中川机场
TYN: 武宿
TNA: 遥墙
HFE: 新桥机场
KHN: 昌北
NNG: 吴圩
KWL: 两江机场
KWE: 龙洞堡
LXA: 贡嘎
AMS: 史基浦
""")
ZH_CITIES = read_table("""
YIE: 阿尔山
NBS: 长白山
OHE: 漠河
TXN: 黄山
WUS: 武夷山
JGS: 井冈山
JIU: 庐山
SWA: 揭阳, 潮汕, 潮州
BAR: 博鳌
JIQ: 黔江
JZH: 九寨沟, 九寨, 黄龙
DCY: 稻城, 稻城亚丁
AHJ: 阿坝
GZG: 甘孜
TEN: 铜仁, 梵净山
ACX: 黔西南
HZH: 黎平
LLB: 荔波
KJH: 黄平
JHG: 西双版纳, 版纳, 景洪
DIG: 迪庆, 香格里拉
LUM: 德宏, 芒市
TCZ: 腾冲
SYM: 普洱, 思茅
LZY: 林芝
BPX: 昌都
NGQ: 阿里
UYN: 榆林
GXH: 甘南, 夏河
GOQ: 格尔木
YIN: 伊宁, 伊犁
AAT: 阿勒泰
KCA: 库车
HLD: 呼伦贝尔
HUN: 花莲
TAE: 大邱
UTP: 芭提雅, 芭堤雅
LGK: 兰卡威
BKI: 沙巴
PQC: 富国岛
LPQ: 琅勃拉邦
MRU: 毛里求斯
SEZ: 塞舌尔
JTR: 圣托里尼
GUM: 关岛
GIG: 里约
NAN: 斐济
PPT: 大溪地
HSN: 普陀山
YIH: 三峡
DNH: 敦煌, 莫高窟
New York: 纽约, 纽约市
Los Angeles: 洛杉矶
San Francisco: 三藩市, 旧金山
Washington: 华盛顿
London: 伦敦
Paris: 巴黎
Tokyo: 东京
Beijing: 帝都
Shanghai: 魔都
Guangzhou: 羊城
Chongqing: 山城
Seoul: 首尔, 汉城
Singapore: 新加坡, 狮城
Hong Kong: 香港
Taipei: 台北
Kuala Lumpur: 吉隆坡
DPS: 巴厘岛
Phuket: 普吉, 普吉岛
USM: 苏梅岛
MPH: 长滩岛
Naha: 冲绳
Sapporo: 札幌, 北海道
CJU: 济州岛, 济州
Honolulu: 夏威夷, 火奴鲁鲁, 檀香山
SPN: 塞班, 塞班岛
MLE: 马尔代夫, 马累
Ho Chi Minh City: 胡志明, 胡志明市, 西贡
Dubai: 迪拜, 杜拜
Istanbul: 伊斯坦布尔
Moscow: 莫斯科
St Petersburg: 圣彼得堡
Berlin: 柏林
Munich: 慕尼黑
FRA: 法兰克福
Rome: 罗马
Milan: 米兰
Venice: 威尼斯
Madrid: 马德里
Barcelona: 巴塞罗那
Lisbon: 里斯本
Zurich: 苏黎世
Geneva: 日内瓦
Vienna: 维也纳
Amsterdam: 阿姆斯特丹
Brussels: 布鲁塞尔
Copenhagen: 哥本哈根
Stockholm: 斯德哥尔摩
Helsinki: 赫尔辛基
Athens: 雅典
Manchester: 曼彻斯特
Edinburgh: 爱丁堡
Dublin: 都柏林
Sydney: 悉尼, 雪梨
Melbourne: 墨尔本
Brisbane: 布里斯班
Perth: 珀斯
Auckland: 奥克兰
Queenstown: 皇后镇
Toronto: 多伦多
Vancouver: 温哥华
YUL: 蒙特利尔
Seattle: 西雅图
Chicago: 芝加哥
Boston: 波士顿
Houston: 休斯顿, 休斯敦
Dallas: 达拉斯
Miami: 迈阿密
Atlanta: 亚特兰大
Las Vegas: 拉斯维加斯
Philadelphia: 费城
Denver: 丹佛
San Diego: 圣地亚哥
San Jose: 圣何塞
Phoenix: 凤凰城
Detroit: 底特律
Orlando: 奥兰多
Pittsburgh: 匹兹堡
Mexico City: 墨西哥城
Sao Paulo: 圣保罗
Cairo: 开罗
Nairobi: 内罗毕
Johannesburg: 约翰内斯堡
Cape Town: 开普敦
DEL: 德里, 新德里
Mumbai: 孟买
BLR: 班加罗尔
Kathmandu: 加德满都
Colombo: 科伦坡
KTI: 金边
Siem Reap: 暹粒, 吴哥
Hanoi: 河内
Da Nang: 岘港
Nha Trang: 芽庄
Chiang Mai: 清迈
Bangkok: 曼谷
Jakarta: 雅加达
Manila: 马尼拉
CEB: 宿务
Vientiane: 万象
Yangon: 仰光
Doha: 多哈
Abu Dhabi: 阿布扎比
Riyadh: 利雅得
Tel Aviv: 特拉维夫
Osaka: 京都
Nagoya: 名古屋
Fukuoka: 福冈
MFM: 澳门
KHH: 高雄
DLU: 大理
HXD: 柴达木
""")
ZH_REGIONS = read_table("""
SJW: 河北, 河北省
TYN: 山西
HET: 内蒙古, 内蒙
SHE DLC: 辽宁
CGQ: 吉林省
HRB: 黑龙江
NKG: 江苏
HGH: 浙江
HFE: 安徽
XMN FOC: 福建
KHN: 江西
TNA TAO: 山东
CGO: 河南
WUH: 湖北
CSX: 湖南
CAN SZX: 广东
NNG KWL: 广西
HAK SYX: 海南, 海南岛
TFU CTU: 四川
KWE: 贵州
KMG: 云南
LXA: 西藏
XIY: 陕西
LHW: 甘肃
XNN: 青海
INC: 宁夏
URC: 新疆
HND NRT KIX: 日本
ICN: 韩国
BKK: 泰国
SGN HAN: 越南
KUL: 马来西亚
CGK DPS: 印尼
MNL: 菲律宾
LHR: 英国
CDG: 法国
FRA: 德国
FCO: 意大利
MAD: 西班牙
SYD MEL: 澳大利亚, 澳洲
AKL: 新西兰
YVR YYZ: 加拿大
SVO: 俄罗斯
TPE: 台湾
DEL: 印度
CAI: 埃及
IST: 土耳其
LAX SFO: 加州
MIA MCO: 佛罗里达
""")
ZH_WIDE = ("美国", "欧洲", "东南亚")
