"""Metrics as the Prometheus parser reads them."""

import math
import re
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

TOKEN = "only for the tests of metrics"


def scrape(zoo):
    request = urllib.request.Request(zoo.url + "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return answer.read().decode()


@pytest.fixture
def text(zoo, monkeypatch) -> str:
    zoo.kill()
    monkeypatch.setenv("AVIARY_METRICS_TOKEN", TOKEN)
    zoo.start()
    for path in ["/admin", "/admin/animals", "/admin/animals", "/healthz"]:
        urllib.request.urlopen(zoo.url + path).read()
    return scrape(zoo)


def test_prometheus_own_parser_reads_every_line(text):
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(samples) == len(lines) > 50
    assert len({(sample.name, tuple(sorted(sample.labels.items()))) for sample in samples}) == len(samples)


def test_every_metric_has_a_type_that_is_known_and_says_what_it_is(text):
    for family in text_string_to_metric_families(text):
        assert family.type in {"counter", "gauge", "histogram"}, family.name
        assert family.documentation, family.name
        assert all(math.isfinite(sample.value) and sample.value >= 0 for sample in family.samples)


def test_requests_are_counted_by_route(text):
    families = {family.name: family for family in text_string_to_metric_families(text)}
    counts = {sample.labels["route"]: sample.value for sample in families["aviary_http_requests"].samples}
    assert counts["/admin"] == 1 and counts["/admin/{model}"] == 2 and counts["/healthz"] == 1


def test_buckets_rise_to_the_count_of_each_histogram(text):
    histograms = [family for family in text_string_to_metric_families(text) if family.type == "histogram"]
    assert {family.name for family in histograms} == {
        "aviary_http_request_duration_seconds", "aviary_store_batch_size", "aviary_store_flush_seconds",
        "aviary_store_wait_seconds", "aviary_store_work_seconds",
    }
    for family in histograms:
        counts = [sample for sample in family.samples if sample.name.endswith("_count")]
        assert counts
        for count in counts:
            buckets = [
                (float(sample.labels["le"]), sample.value) for sample in family.samples
                if sample.name.endswith("_bucket") and count.labels.items() <= sample.labels.items()
            ]
            assert buckets == sorted(buckets) and [value for _, value in buckets] == sorted(value for _, value in buckets)
            assert buckets[-1] == (math.inf, count.value)


def test_names_follow_the_conventions(text):
    for family in text_string_to_metric_families(text):
        assert re.fullmatch(r"(aviary|process)_[a-z_]+", family.name)
        assert not re.search(r"(_ms|_milliseconds|_kb|_mb|_percent)$", family.name)
