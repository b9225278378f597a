"""Pictures are made from code and traces, can be read by everybody, and are not stale."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from checker.pictures.dots import Drawing, drawings, drawn, house, lineage
from checker.pictures.rendering import NoRendererError, rendered
from checker.pictures.sequences import sequence_svg
from checker.scene import Event, Scene
from checker.ties.gathering import ROOT

SVG = "{http://www.w3.org/2000/svg}"
FOLDER = ROOT / "diagrams"


@pytest.fixture(scope="module")
def made() -> tuple[Drawing, ...]:
    """All the graphs."""
    return tuple(drawings())


def test_no_graph_is_stale(made: tuple[Drawing, ...]) -> None:
    """Run `malachi-model draw --graphs` and commit what it writes."""
    stale = [each.name for each in made if (FOLDER / f"{each.name}.dot").read_text() != each.dot]

    assert stale == []


def test_every_graph_has_its_picture(made: tuple[Drawing, ...]) -> None:
    for each in made:
        root = ET.fromstring((FOLDER / f"{each.name}.svg").read_text())  # noqa: S314 - our own

        assert root.findtext(f"{SVG}title") == each.title
        assert root.findtext(f"{SVG}desc")


def test_a_picture_has_the_colours_of_its_reader() -> None:
    svg = rendered(drawn("few", "Few", {("a", "b"): "go"}))

    assert "currentColor" in svg
    assert "prefers-color-scheme: dark" in svg
    assert 'width="100%"' in svg


def test_without_a_renderer_it_is_said_what_is_missing() -> None:
    with pytest.raises(NoRendererError, match="install the wheel graphviz-pure"):
        rendered(drawn("few", "Few", {("a", "b"): "go"}), ("no-such-program",))


def test_the_house_points_down() -> None:
    drawing = house()

    assert "checker.search to reference" not in drawing.description
    assert "reference to spec" in drawing.description


def test_a_merged_range_descends_from_both_halves() -> None:
    told = lineage().description

    assert told.count("by split_range") == 2
    assert told.count("by merge_ranges") == 2


def test_a_lost_message_is_drawn_as_lost_and_the_law_stands_at_the_end() -> None:
    """The description says in words what the picture shows."""
    lost = Event("loses", "f1", "store", "a < b")
    scene = Scene(("f1", "store"), ((lost,),))

    root = ET.fromstring(sequence_svg(scene, "Lost", ["Breaks a law"]))  # noqa: S314 - our own
    kept = ET.fromstring(  # noqa: S314 - our own
        sequence_svg(replace(scene, events=((replace(lost, kind="says"),),)), "Kept", [])
    )

    assert root.findtext(f"{SVG}desc") == "f1 to store: a < b (lost). Breaks a law"
    assert [e.get("class") for e in root.iter(f"{SVG}line")].count("loses") == 1
    assert "Breaks a law" in [text.text for text in root.iter(f"{SVG}text")]
    assert [e.get("class") for e in kept.iter(f"{SVG}line")].count("loses") == 0
