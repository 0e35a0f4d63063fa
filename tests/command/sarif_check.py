#!/usr/bin/env python3
"""Checks a SARIF log against what the 2.1.0 schema requires of the objects that are in it, and against a claim.

usage: sarif_check.py LOG WORST EXPECTED...

WORST is the highest level of its results ("none" or "error"). EXPECTED is RULE, RULE:URI:LINE, RULE:URI:LINE:COLUMN, or "decisions":
results for plain and atomic updates, each with a location.
"""
import json
import re
import sys

LEVELS = ["none", "note", "warning", "error"]
KINDS = ["notApplicable", "pass", "fail", "review", "open", "informational"]
# Properties that an object may have, those it must have, by the schema.
SHAPES = {
    "log": ({"$schema", "version", "runs"}, {"version", "runs"}),
    "run": ({"tool", "results", "invocations", "columnKind"}, {"tool"}),
    "driver": ({"name", "version", "rules"}, {"name"}),
    "rule": ({"id", "shortDescription"}, {"id"}),
    "result": ({"ruleId", "ruleIndex", "kind", "level", "message", "locations", "relatedLocations", "properties"}, {"message"}),
    "physicalLocation": ({"artifactLocation", "region"}, {"artifactLocation"}),
    "region": ({"startLine", "startColumn"}, set()),
    "invocation": ({"executionSuccessful"}, {"executionSuccessful"}),
}


def shape(kind, thing):
    may, must = SHAPES[kind]
    assert isinstance(thing, dict), f"{kind} is no object"
    assert set(thing) <= may, f"{kind} has {set(thing) - may}"
    assert must <= set(thing), f"{kind} lacks {must - set(thing)}"


def check_result(result, rules):
    shape("result", result)
    assert isinstance(result["message"]["text"], str) and result["message"]["text"]
    assert result["level"] in LEVELS and result["kind"] in KINDS
    assert result["kind"] == "fail" or result["level"] == "none", "only a failure has a level"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex and ruleId differ"
    for location in result.get("locations", []) + result.get("relatedLocations", []):
        place = location["physicalLocation"]
        shape("physicalLocation", place)
        uri = place["artifactLocation"]["uri"]
        assert re.fullmatch(r"(file:///)?[A-Za-z0-9._~/+@,=%-]+", uri), f"no URI: {uri}"
        if "region" in place:
            shape("region", place["region"])
            assert all(isinstance(n, int) and n >= 1 for n in place["region"].values())


def summaries(result):
    """RULE:URI:LINE, and the same with the column."""
    text = result["ruleId"]
    for location in result.get("locations", []):
        place = location["physicalLocation"]
        text += f":{place['artifactLocation']['uri']}:{place['region']['startLine']}"
        yield f"{text}:{place['region'].get('startColumn')}"
    yield text


def main():
    name, worst, *expected = sys.argv[1:]
    with open(name, encoding="utf-8") as file:  # strictly
        log = json.load(file)
    shape("log", log)
    assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"] and len(log["runs"]) == 1
    run = log["runs"][0]
    shape("run", run)
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    shape("driver", driver)
    for rule in driver["rules"]:
        shape("rule", rule)
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"]), "rule ids repeat"
    for result in run["results"]:
        check_result(result, driver["rules"])
    for invocation in run["invocations"]:
        shape("invocation", invocation)
        assert invocation["executionSuccessful"] == (worst != "error")
    assert max([result["level"] for result in run["results"]], key=LEVELS.index, default="none") == worst
    said = [text for result in run["results"] for text in summaries(result)]
    for claim in expected:
        if claim == "decisions":
            decided = {r["properties"]["decision"] for r in run["results"] if r["kind"] == "informational"}
            assert decided == {"plain", "atomic", "grid"}, f"decisions: {decided}"
            assert all(r["locations"][0]["physicalLocation"]["region"]["startLine"] > 1
                       for r in run["results"]), "a decision without its line"
        else:
            assert claim in said, f"no {claim} in {said}"


main()
