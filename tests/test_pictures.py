"""Pictures are made from code and traces, can be read by everybody, and are not stale."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree as ET

import pytest

from checker.explaining import explanation_of
from checker.pictures.boards import Line, boards_of
from checker.pictures.dots import Drawing, drawings, drawn, house, lineage
from checker.pictures.rendering import NoRendererError, rendered
from checker.pictures.sequences import sequence_svg
from checker.pictures.stories import everything, pinned
from checker.scene import Event, Scene
from checker.search.plain import search
from checker.search.report import LawReport, Move, Trace
from tests.pictured import FOLDER, committed, stale_pictures

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def made() -> tuple[Drawing, ...]:
    """All the graphs."""
    return tuple(drawings())


def test_no_graph_is_stale(made: tuple[Drawing, ...]) -> None:
    """Run `malachi-model draw --graphs` and commit what it writes."""
    stale = [each.name for each in made if committed(f"{each.name}.dot") != each.dot]

    assert stale == []


def test_no_picture_was_laid_out_from_an_older_graph(made: tuple[Drawing, ...]) -> None:
    """Programs lay graphs out differently, so the picture's mark is compared and not its bytes."""
    pictures = {each: ET.fromstring(committed(f"{each.name}.svg")) for each in made}  # noqa: S314 - our own

    stale = [each.name for each, root in pictures.items() if root.get("data-drawn") != each.mark]

    assert stale == []


def test_every_graph_is_told_in_words(made: tuple[Drawing, ...]) -> None:
    for each in made:
        root = ET.fromstring(committed(f"{each.name}.svg"))  # noqa: S314 - our own

        assert root.findtext(f"{SVG}title") == each.title
        assert root.findtext(f"{SVG}desc") == each.description


def test_every_counterexample_has_its_picture_and_no_other_picture_is_there(
    made: tuple[Drawing, ...],
) -> None:
    """Whether a counterexample's own picture is stale is asked where its trace is searched."""
    wanted = {f"{each.name}.{kind}" for each in made for kind in ("dot", "svg")}
    wanted |= {f"{each.name}.{kind}" for each in everything() for kind in ("mmd", "svg")}

    there = {page.name for page in FOLDER.iterdir()}

    assert (sorted(wanted - there), sorted(there - wanted)) == ([], [])


@pytest.mark.parametrize("kind", ["mmd", "svg"])
def test_a_stale_picture_of_a_counterexample_is_named(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copytree(FOLDER, tmp_path / "diagrams")
    (tmp_path / "diagrams" / f"D02.{kind}").write_text("older")
    monkeypatch.setattr("tests.pictured.FOLDER", tmp_path / "diagrams")
    found = explanation_of("D02")
    assert found is not None
    trace = search(pinned(found).build()).trace
    assert trace is not None

    assert stale_pictures(found, trace) == [f"D02.{kind}"]


def test_a_segment_lives_from_its_listing_over_its_latch_to_its_removal(
    made: tuple[Drawing, ...],
) -> None:
    told = next(each.description for each in made if each.name == "life-of-segment")

    for step in (
        "not listed, no log to active, no log by produce_plan",
        "active, no log to active, log open by append",
        "active, log open to active, log fenced by fence",
        "active, log fenced to sealed, log fenced by failover: seal_segment, record_fence",
        "sealed, log fenced to not listed, a log is left by delete_segment",
    ):
        assert step in told


def test_a_view_catches_up_by_a_refresh(made: tuple[Drawing, ...]) -> None:
    told = next(each.description for each in made if each.name == "life-of-view")

    behind = "view: active, cached as head, control plane: sealed"
    assert f"{behind} to view: sealed, not cached, control plane: sealed by" in told
    assert "refresh" in told


def test_a_board_shows_all_of_a_state_and_marks_what_a_step_changed() -> None:
    """A place that is there only for a while has a line in every state."""
    moves = (
        Move("go", "one goes", {"a": 1, "b": 0, "c": "x", "e": "z"}),
        Move("go", "it goes again", {"a": 1, "b": 2, "e": "z"}),
    )
    broken = LawReport("a_law", "RNG-1", "It holds.", "broken")

    boards = boards_of(Trace({"a": 0, "b": 0, "d": "y", "e": "z"}, moves, broken))

    assert boards.states == (
        (Line("a", "0"), Line("b", "0"), Line("d", "y"), Line("c", "")),
        (Line("a", "1", "0"), Line("b", "0"), Line("d", "", "y"), Line("c", "x", "")),
        (Line("a", "1"), Line("b", "2", "0"), Line("d", ""), Line("c", "", "x")),
    )
    assert boards.still == (Line("e", "z"),)


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
