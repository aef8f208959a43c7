"""Words in scripts without spaces, and letters in other forms: the rank of the page that contains the word.

    python bench/unspaced.py [--json [FILE]]

An engine in this process indexes small pages in Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and English. The bench asks each word
or question with `search`; the page that contains it should be first. Words that are on no page should find nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Final

from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.orchestration.result import OrchestrationResult
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES, SearchMode
from support.in_process import engine_with
from support.report import Row, add_json, print_report
from support.sites import serve_folder

TOP_K: Final = 10
LAMPS: Final = (
    "The lantern workshop keeps a careful ledger of every lamp that leaves the bench, with its date, wick and oil."
)
PAGES: Final = {
    "zh/store": "数据库检索系统可以存储一百万条记录。每个用户最多可以打开十个连接。",
    "zh/burner": "作坊的燃烧器最高温度是六百四十度，灯芯每周修剪一次。",
    "zh/backup": "备份每天凌晨两点开始，保存在另一台机器上。恢复之前请先停止服务。",
    "zh/print": "打印机缺纸时会亮起红灯。请打开下方的纸盒，放入新的纸张。",
    "zh/python": "用Python连接服务器时，请先设置timeout参数，单位是秒。",
    "ja/game": "今日は成語しりとりをした。芯は毎週切り揃えます。",
    "ja/burner": "バーナーの最高温度は640度です。それを超えると自動的に消えます。",
    "ja/link": "接続は最大十個まで開けます。十一個目は待たされます。",
    "ja/python": "Pythonで接続するには、まずホスト名とポート番号を決めます。",
    "ja/print": "プリンターの紙が切れると赤いランプが点きます。",
    "ko/game": "오늘 끝말잇기 게임을 했다. 모두 즐거워했다.",
    "ko/burner": "버너의 최고 온도는 640도입니다. 심지는 매주 다듬습니다.",
    "ko/link": "데이터베이스 연결은 최대 열 개까지 열 수 있습니다.",
    "ko/backup": "백업은 매일 새벽 두 시에 시작됩니다. 복구하기 전에 서비스를 멈추십시오.",
    "ko/print": "프린터에 용지가 없으면 빨간 불이 켜집니다.",
    "th/burner": "ตะเกียงนี้ใช้น้ำมันก๊าด อุณหภูมิสูงสุดของหัวเผาคือ 640 องศา",
    "th/store": "ฐานข้อมูลนี้เก็บข้อมูลได้หนึ่งล้านรายการ ผู้ใช้แต่ละคนเปิดการเชื่อมต่อได้สิบรายการ",
    "th/backup": "การสำรองข้อมูลเริ่มเวลาตีสองทุกวัน ก่อนกู้คืนให้หยุดบริการก่อน",
    "th/print": "เมื่อกระดาษหมดเครื่องพิมพ์จะแสดงไฟสีแดง",
    "lo/store": "ຖານຂໍ້ມູນນີ້ເກັບໄດ້ໜຶ່ງລ້ານລາຍການ",
    "lo/burner": "ອຸນຫະພູມສູງສຸດແມ່ນ 640 ອົງສາ",
    "km/store": "មូលដ្ឋានទិន្នន័យនេះអាចរក្សាទុកកំណត់ត្រាមួយលាន",
    "km/burner": "សីតុណ្ហភាពខ្ពស់បំផុតគឺ ៦៤០ ដឺក្រេ",
    "my/store": "ဒေတာဘေ့စ်တွင် မှတ်တမ်းတစ်သန်း သိမ်းနိုင်သည်။",
    "my/burner": "အမြင့်ဆုံး အပူချိန်မှာ ၆၄၀ ဒီဂရီ ဖြစ်သည်။",
    "forms/ligatures": f"{LAMPS} The conﬁguration of the ﬂame oﬃce is stored in a ﬁle with diﬀerent eﬃciency: value ZQ-118.",
    "forms/wide": f"{LAMPS} 型番はＡＢＣ１２３です。 Model ＸＹＺ－９９ uses wide letters and ﾜｲﾄﾞ kana.",
    "forms/apart": f"{LAMPS} The cafe\u0301 in Zu\u0308rich sells jalapen\u0303o lamps. \u1112\u1161\u11ab\u1100\u1173\u11af.",
    "en/store": f"{LAMPS} The database stores one million records, and each user may open ten connections.",
    "en/burner": "The burner reaches 640 degrees at most; the wick is trimmed every week.",
    "en/backup": "Backups begin at two in the morning and are kept on another machine. Stop the service before you restore one.",
    "en/print": "A red light says that the printer is out of paper. Open the lower tray and put in new sheets.",
    "en/office": f"{LAMPS} The office keeps a configuration file for every printer, and the flame of efficiency burns.",
}
"""Pages by language and name."""
ASKED: Final = {
    "zh/store": ("数据库", "检索系统", "一百万条记录", "每个用户最多可以打开几个连接？"),
    "zh/burner": ("燃烧器最高温度", "灯芯", "作坊的燃烧器最高温度是多少度？"),
    "zh/backup": ("备份", "凌晨两点", "恢复之前应该做什么？"),
    "zh/print": ("打印机", "缺纸", "纸盒"),
    "zh/python": ("Python连接服务器",),
    "ja/game": ("しりとり", "成語"),
    "ja/burner": ("バーナーの最高温度は何度ですか", "バーナー", "ﾊﾞｰﾅｰ"),
    "ja/link": ("最大十個", "十一個目"),
    "ja/python": ("Pythonで接続", "ポート番号"),
    "ja/print": ("プリンター", "赤いランプ", "紙"),
    "ko/game": ("끝말잇기", "게임"),
    "ko/burner": ("온도", "최고 온도", "버너의 최고 온도는 몇 도입니까?", "심지"),
    "ko/link": ("연결", "데이터베이스"),
    "ko/backup": ("백업", "복구", "서비스"),
    "ko/print": ("프린터", "용지"),
    "th/burner": ("อุณหภูมิสูงสุด", "หัวเผา", "ตะเกียง"),
    "th/store": ("ฐานข้อมูล", "การเชื่อมต่อ"),
    "th/backup": ("การสำรองข้อมูล", "กู้คืน"),
    "th/print": ("เครื่องพิมพ์", "กระดาษ"),
    "lo/store": ("ຖານຂໍ້ມູນ",),
    "lo/burner": ("ອຸນຫະພູມ",),
    "km/store": ("ទិន្នន័យ",),
    "km/burner": ("សីតុណ្ហភាព",),
    "my/store": ("ဒေတာဘေ့စ်",),
    "my/burner": ("အပူချိန်",),
    "forms/ligatures": ("ZQ-118 efficiency", "conﬁguration of the ﬂame", "configuration of the flame office file"),
    "forms/wide": ("ABC123", "XYZ-99", "ＸＹＺ", "ワイド"),
    "forms/apart": ("café Zürich", "cafe zurich", "jalapeño", "한글"),
    "en/burner": ("How hot does the burner get?",),
    "en/backup": ("When do backups begin?",),
}
"""Words and questions by the only page of the language that answers them."""
ABSENT: Final = ("天气预报", "飛行機", "자전거", "รถไฟฟ้า", "ລົດໄຟ", "កង់", "လေယာဉ်")
"""Words that are on no page."""
HTML: Final = (
    '<!DOCTYPE html><html lang="{0}"><head><meta charset="utf-8"><title>{0} page</title></head>'
    "<body><main><p>{1}</p></main></body></html>"
)


async def measure() -> list[Row]:
    """Return one row per language, and one for words that are on no page."""
    embedder = OnnxEmbedder(assets_dir() / "model")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="webrag-unspaced-") as folder:
        for name, text in PAGES.items():
            path = Path(folder) / f"{name}.html"
            path.parent.mkdir(exist_ok=True)
            path.write_text(HTML.format(name.partition("/")[0], text), encoding="utf-8")
        with serve_folder(Path(folder)) as served:
            async with engine_with(embedder, ALL_STAGES) as engine:
                for name in PAGES:
                    await engine.ingest([f"{served.base}/{name}.html"])
                places: dict[str, list[int]] = defaultdict(list)
                for page, asked in ASKED.items():
                    for words in asked:
                        place = await _place(engine, words, f"{served.base}/{page}.html")
                        places[page.partition("/")[0]].append(place)
                rows += [_row(language, found) for language, found in places.items()]
                rows.append(_row("all", [place for found in places.values() for place in found]))
                nothing = [(await _search(engine, words)).nothing_found for words in ABSENT]
                rows.append({"pages": "no page", "words": len(nothing), "nothing found": sum(nothing)})
    return rows


async def _search(engine: Engine, words: str) -> OrchestrationResult:
    return await engine.search(words, top_k=TOP_K, mode=SearchMode.HYBRID)


async def _place(engine: Engine, words: str, url: str) -> int:
    """Return the rank from 1, or 0 if the page is not shown."""
    started = time.perf_counter()
    result = await _search(engine, words)
    urls = list(dict.fromkeys(item.chunk.url for item in sorted(result.chunks, key=lambda item: -item.reranked_score)))
    place = urls.index(url) + 1 if url in urls else 0
    if place != 1:
        scores = " ".join(
            f"{item.chunk.url.rsplit('/', 2)[-2:]}:{item.reranked_score:.2f}" for item in result.chunks[:3]
        )
        print(f"{words!r}: place {place or 'none'} in {1000 * (time.perf_counter() - started):.0f} ms; {scores}")
    return place


def _row(language: str, places: list[int]) -> Row:
    return {
        "pages": language,
        "words": len(places),
        "first": sum(place == 1 for place in places),
        "among ten": sum(place > 0 for place in places),
        "mean reciprocal rank": round(fmean(1 / place if place else 0.0 for place in places), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_json(parser)
    arguments = parser.parse_args()
    rows = asyncio.run(measure())
    print_report(rows, as_json=arguments.json, title="Words in scripts without spaces: rank of their page")


if __name__ == "__main__":
    main()
