"""Tests of the page of benchmarks: its dates and commits, and the goals that were met, missed or not measured."""
import argparse
import json
import re

import budgets
import figures
import page
import plots
import pytest


@pytest.fixture
def results(tmp_path):
    """Writes what parts found, and reads it as the page does."""
    def read(**parts):
        (tmp_path / "run.json").write_text(json.dumps({"part": "run", "result": {"quick": False}}))
        for part, result in parts.items():
            figures.write(tmp_path / f"{part}.json", part, argparse.Namespace(rows=1), result)
        return page.read(tmp_path)
    return read


def rate(median, **others):
    return {"median": median, "lowest": median, "highest": median, "runs": 1, **others}


def adding(failed):
    return {"Aviary": rate(9000, p50=1, p99=10, failed=failed)}


def store(rate):
    """What the part about the store found, of C alone."""
    return {"ordered": {"C, a commit a row": [{"rowsPerSecond": rate}]}}


def verdict(what, results):
    budget = next(budget for budget in budgets.BUDGETS if budget.what.startswith(what))
    return budget.row(results)[2:]


def test_an_error_in_one_run_of_three_is_an_error():
    assert figures.total([{"failed": 0}, {"failed": 7}, {"failed": 0}], "failed") == 7


def test_no_error_means_none(results):
    assert verdict("Adding", results(adding=adding(0), store=store(7000)))[1] == "met"
    assert verdict("Adding", results(adding=adding(1), store=store(7000)))[1] == "**not met**"


def test_adding_is_compared_with_c_of_the_same_results(results):
    assert verdict("Adding", results(adding=adding(0), store=store(7500))) == ("1.20 times, p99 10.0 ms, 0 failed", "met")
    assert verdict("Adding", results(adding=adding(0), store=store(8000)))[1] == "**not met**"


def test_a_budget_of_two_parts_needs_both(results):
    assert verdict("Adding", results(adding=adding(0))) == ("not measured", "–")


def test_a_list_page_is_compared_with_the_framework_and_with_django(results):
    def found(ours, changed):
        names = {"Aviary": ours, "Aviary, its model is changed 100 times a second": changed, "Django admin": 100,
                 "plain text of the same framework": 30_000}
        read = results(listing={"rates": {name: rate(value) for name, value in names.items()}})
        return verdict("A list page, 50", read), verdict("The same while", read)
    assert found(15_000, 6000) == (("50%, 150 times", "met"), ("20%, 60 times", "met"))
    assert found(14_900, 5900) == (("50%, 149 times", "**not met**"), ("20%, 59 times", "**not met**"))


@pytest.mark.parametrize("ratio, expected", [(0.99, "met"), (1.1, "met"), (0.89, "**not met**"), (1.2, "**not met**")])
def test_the_harness_agrees_with_wrk_or_not(results, ratio, expected):
    assert verdict("The harness", results(agreement={"ratio": ratio}))[1] == expected


def test_waits_of_a_restore_have_a_bound_of_their_own(results):
    def found(name, **others):
        work = {"answered": 1, "completed": 2, "saves": 400, "refused": 0, "p50": 2, "p99": 20, "longest": 30, "memory": 90,
                "before": 300, "after": 310}
        return {name: {**work, **others}}

    def verdicts(*works):
        read = results(waiting={"work": {name: work for found in works for name, work in found.items()}})
        return [verdict(what, read)[1] for what in ("A save beside large", "A save beside a restore", "The store's process beside")]
    delete, restore = found("delete of a category"), found("restore", longest=499, p99=400)
    assert verdicts(found("nothing", longest=900), delete, restore) == ["met", "met", "met"]
    assert verdicts(found("import", p99=51), restore)[0] == "**not met**"
    assert verdicts(found("import", refused=1), restore)[0] == "**not met**"
    assert verdicts(delete, found("restore", longest=501))[1] == "**not met**"
    assert verdicts(delete, found("restore", memory=129))[2] == "**not met**"
    assert "| import | 1.0 s | 2.0 s | 0 of 400 |" in page.written("waiting", results(waiting={"work": found("import")}))


def test_a_part_that_was_not_measured_is_marked(results):
    assert verdict("Adding", results()) == ("not measured", "–")
    assert page.written("adding", results()) == "Not measured yet."


def test_a_run_in_small_has_no_million_rows(results):
    small = {"4000": {"by name": {"median": 1, "slowest": 2, "airline": "OO", "records": 1}}}
    read = results(correlated=small)
    assert verdict("One filter", {**read, "run": {"quick": True}}) == ("not measured", "–")
    assert "OO, 1 records" in page.written("correlated", read)


def test_a_part_without_what_it_must_have_is_an_error_and_not_unmeasured(results):
    with pytest.raises(KeyError):
        verdict("Adding", results(adding={"Avairy": rate(1)}, store=store(1)))
    with pytest.raises(KeyError):
        page.written("adding", results(adding={"Avairy": rate(1)}))


def test_the_commit_is_that_of_the_sources():
    assert re.fullmatch(r"([0-9a-f]{4,40}|unknown)(-dirty)?", figures.commit())


def test_each_block_says_of_which_day_and_commit_it_is(results, tmp_path, monkeypatch):
    # What the sources' own is may change meanwhile: somebody edits a file.
    monkeypatch.setattr(figures, "commit", lambda: "4d5e6f7")
    results(adding=adding(0))
    old = json.loads((tmp_path / "adding.json").read_text())
    assert old["date"] and old["commit"] == "4d5e6f7"
    (tmp_path / "adding.json").write_text(json.dumps({**old, "date": "1 May 2026", "commit": "0a1b2c3-dirty"}))
    target = tmp_path / "page.md"
    target.write_text("Before.\n<!-- bench: adding -->\nold\n<!-- bench: end -->\nAfter.\n")
    page.write(page.read(tmp_path), target, tmp_path / "images")
    text = target.read_text()
    assert "Measured 1 May 2026, commit `0a1b2c3-dirty`." in text
    assert "old" not in text and text.startswith("Before.\n") and text.endswith("After.\n")


def test_what_was_measured_before_stays_when_another_part_is_measured(results, tmp_path):
    target = tmp_path / "page.md"
    target.write_text("<!-- bench: budgets -->\nnothing\n<!-- bench: end -->\n<!-- bench: adding -->\nnothing\n<!-- bench: end -->\n")
    page.write(results(adding=adding(0), wire={"Aviary": {"first": 30_000, "next": 5000, "parts": 4}}), target, tmp_path / "images")
    before = target.read_text()
    assert "30.0 KB, 5.0 KB" in before and "Measured" in before
    (tmp_path / "adding.json").unlink()
    (tmp_path / "wire.json").unlink()
    page.write(results(agreement={"ratio": 0.8}), target, tmp_path / "images")
    after = target.read_text()
    for line in before.splitlines():
        assert line in after or line.startswith("| The harness"), line
    assert "0.800 of it" in after


def test_a_budget_with_a_bar_in_its_name_is_kept_whole(results, tmp_path):
    [row] = [budget.row(results()) for budget in budgets.BUDGETS if budget.what.startswith("A restore")]
    line = "| " + " | ".join([row[0], row[1], "0.40 of its time", "met"]) + " |"
    assert line in page.budget_table(results(), line)


def test_a_picture_has_room_for_its_longest_name():
    picture = plots.bars("Pages", "/s", [("Aviary", 9, 8, 10, True), ("a name of forty characters, or a few more", 2, 1, 3, False)])
    end = float(re.search(r'<text x="([0-9.]+)" y="[0-9]+" text-anchor="end">a name', picture).group(1))
    assert end >= plots.CHARACTER * len("a name of forty characters, or a few more")
