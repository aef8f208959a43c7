from app.desktop.models.facets import *
from tests.desktop.fake_engine import FakeParts


def test_a(start, qtbot):
    d = start(FakeParts(4000))
    d.window.go_to("library")
    page = d.window.library
    qtbot.waitUntil(lambda: page.model.is_loaded)
    page.facets.count()
    m = page.facets.tree
    for g in m._groups:
        print(g.words, [(n.words, n.count) for n in g.children][:3])
    page.facets.view.resize(300, 1500)
    for i in range(10):
        page.facets.view.grab()
    print("painted")
