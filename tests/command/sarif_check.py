#!/usr/bin/env python3
"""Checks a SARIF log against what the 2.1.0 standard, schema and prose, asks of the objects that are in it, and
against a claim.

usage: sarif_check.py LOG WORST EXPECTED...
       sarif_check.py --all LOG...
       sarif_check.py --spoil LOG

WORST is the highest level of its results ("none" or "error"). EXPECTED is RULE, RULE:URI:LINE,
RULE:URI:LINE:COLUMN, or "decisions": results for plain and atomic updates, each with a location. --all looks at
the form alone. --spoil breaks one rule of the standard after the other in a good log that has a related
location, and fails if one of these is passed. With SARIF_SCHEMA=FILE in the environment the official schema,
which is not ours to copy, is asked too, through the package jsonschema.
"""
import copy
import json
import os
import re
import sys
import urllib.parse

LEVELS = ["none", "note", "warning", "error"]
KINDS = ["notApplicable", "pass", "fail", "review", "open", "informational"]


def text(value):
    return isinstance(value, str) and value


def place(value):  # lines and columns begin at 1
    return type(value) is int and value >= 1


def one_of(*values):
    return lambda value: value in values and type(value) is str


def path(uri):
    """3.10, RFC 3986: escaped with capital digits and only where need be; segments neither empty nor dots;
    below no root, or a file's."""
    assert text(uri), "no text"
    segments = re.sub("^file:///", "", uri).split("/")
    assert all(re.fullmatch(r"([A-Za-z0-9._~@+,=!$&'()*;-]|%[0-9A-F]{2})+", s) and s not in (".", "..")
               for s in segments), uri
    assert not any(re.fullmatch(r"[A-Za-z0-9._~-]", chr(int(code, 16))) for code in re.findall("%(..)", uri)), \
        f"escaped without need: {uri}"
    return True


def plain_text(value):
    """3.11.3, 3.11.5, 3.11.6: no layout, no placeholder that has no argument, no link."""
    assert text(value), "no text"
    left = value.replace("{{", "").replace("}}", "")
    assert "{" not in left and "}" not in left, f"a placeholder: {value}"
    assert not re.search(r"\[[^\[\]]*\]\(", value), f"a link: {value}"
    assert all(line == line.strip() for line in value.split("\n")), f"layout: {value}"
    return True


# What an object may have; "!" behind a name: must. A name: such an object; [name]: an array of them; else a
# function that looks at it.
OBJECTS = {
    "log": {"$schema!": lambda v: text(v) and re.fullmatch(r"https://[a-z0-9./-]*sarif-(schema-)?2\.1\.0\.json",
                                                           v), "version!": one_of("2.1.0"), "runs!": ["run"]},
    "run": {"tool!": "tool", "results!": ["result"], "invocations!": ["invocation"],
            "columnKind!": one_of("utf16CodeUnits", "unicodeCodePoints")},
    "tool": {"driver!": "driver"},
    "driver": {"name!": text, "version!": text, "rules!": ["rule"]},
    "rule": {"id!": lambda v: text(v) and re.fullmatch("[a-z0-9-]+", v), "shortDescription": "message"},
    "message": {"text!": plain_text},
    "result": {"ruleId!": text, "ruleIndex!": lambda v: type(v) is int and v >= 0, "kind!": one_of(*KINDS),
               "level!": one_of(*LEVELS), "message!": "message", "locations": ["location"],
               "relatedLocations": ["location"], "properties": "properties"},
    "location": {"physicalLocation!": "physicalLocation", "message": "message"},
    "physicalLocation": {"artifactLocation!": "artifactLocation", "region": "region"},
    "artifactLocation": {"uri!": path},
    "region": {"startLine!": place, "startColumn": place},
    "invocation": {"executionSuccessful!": lambda v: type(v) is bool},
    "properties": {"decision!": text, "witness": text},
}


def check(kind, thing, at):
    if isinstance(kind, list):
        assert isinstance(thing, list), f"{at} is no array"
        for k, element in enumerate(thing):
            check(kind[0], element, f"{at}/{k}")
    elif callable(kind):
        assert kind(thing), f"{at} is {thing!r}"
    else:
        assert isinstance(thing, dict), f"{at} is no object"
        members = {name.rstrip("!"): rule for name, rule in OBJECTS[kind].items()}
        assert set(thing) <= set(members), f"{at} has {set(thing) - set(members)}"
        lacks = {name for name in OBJECTS[kind] if name.endswith("!") and name[:-1] not in thing}
        assert not lacks, f"{at} lacks {lacks}"
        for name, value in thing.items():
            check(members[name], value, f"{at}/{name}")


def check_place(location, unit):
    """The place is in the file, where that is here."""
    uri, region = (location["physicalLocation"]["artifactLocation"]["uri"],
                   location["physicalLocation"].get("region"))
    name = urllib.parse.unquote_to_bytes(uri.removeprefix("file://"))
    if not region or not os.path.isfile(name):
        return
    with open(name, "rb") as file:
        lines = file.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert region["startLine"] <= len(lines), f"{uri} has no line {region['startLine']}"
    line = lines[region["startLine"] - 1].decode("utf-8", "surrogateescape")
    count = len(line) if unit == "unicodeCodePoints" else len(line.encode("utf-16-le", "surrogatepass")) // 2
    assert region.get("startColumn", 1) <= count + 1, \
        f"line {region['startLine']} of {uri} has no column {region['startColumn']}"


def check_log(log):
    check("log", log, "")
    assert len(log["runs"]) == 1
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules), "rule ids repeat"
    for result in run["results"]:
        assert result["kind"] == "fail" or result["level"] == "none", "only a failure has a level"
        assert result["ruleIndex"] < len(rules) and rules[result["ruleIndex"]]["id"] == result["ruleId"], \
            "ruleIndex and ruleId differ"
        related = result.get("relatedLocations", [])
        assert all(place not in related[:k] for k, place in enumerate(related)), "a related location twice"
        for location in result.get("locations", []) + related:
            check_place(location, run["columnKind"])
    worst = worst_of(run)
    assert len(run["invocations"]) == 1 and run["invocations"][0]["executionSuccessful"] == (worst != "error")


def worst_of(run):
    return max([result["level"] for result in run["results"]], key=LEVELS.index, default="none")


def without_repeats(pairs):
    assert len({name for name, _ in pairs}) == len(pairs), f"a member twice: {pairs}"
    return dict(pairs)


def read(name):
    with open(name, encoding="utf-8") as file:  # strictly, and without a byte order mark (RFC 8259)
        return json.load(file, object_pairs_hook=without_repeats,
                         parse_constant=lambda c: sys.exit(f"{c} is no JSON"))


def ask_schema(log):
    if not os.environ.get("SARIF_SCHEMA"):
        return
    import jsonschema

    with open(os.environ["SARIF_SCHEMA"], encoding="utf-8") as file:
        schema = json.load(file)
    found = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    for error in found.iter_errors(log):
        raise AssertionError(f"{list(error.absolute_path)}: {error.message[:300]}")


def ways_to_spoil(thing, at=()):
    """(path, new value or None to take away) for each member, array and number of the log's first run, its
    first rule and result alone."""
    if isinstance(thing, dict):
        yield at + ("unknownMember",), 1
        for name, value in thing.items():
            yield at + (name,), None if at[-1:] != ("region",) or name == "startLine" else 0
            yield at + (name,), [] if isinstance(value, dict) else {}
            yield from ways_to_spoil(value, at + (name,))
    elif isinstance(thing, list):
        yield from (way for k, value in enumerate(thing[:1]) for way in ways_to_spoil(value, at + (k,)))
    else:
        wrong = {"uri": ["a b.cu", "\u00e9.cu", "a//b.cu", "../b.cu", "./b.cu", "/b.cu", "a:b", "a%2fb",
                         "%41.cu"], "text": ["", "{0}", "[i](x)", "  far in"],
                 "startLine": [0, -1, 1.5, "1", 10 ** 6], "startColumn": [0, "1", 10 ** 6],
                 "ruleIndex": [-1, 10 ** 6, "0", True]}
        for value in wrong.get(at[-1], [not thing if isinstance(thing, bool) else "no such"]):
            yield at, value


# Members that the standard lets anyone leave out or choose, and that no other check misses.
FREE = {("shortDescription",), ("locations",), ("relatedLocations",), ("properties",), ("witness",),
        ("region",), ("message",)}
CHOSEN = {"name", "decision", "witness", ("driver", "version"), ("rules", "id")}


def is_found(log):
    try:
        check_log(log)
        return False
    except AssertionError:
        return True


def spoil(log):
    run = log["runs"][0]
    run["results"] = [r for r in run["results"] if "relatedLocations" in r][:1]
    check_log(log)
    count = 0
    for way, value in list(ways_to_spoil(log)):
        near = tuple(name for name in way if isinstance(name, str))[-2:]
        left_out = value is None and near[-1:] in FREE and near != ("results", "message")
        if left_out or value == "no such" and (near[-1] in CHOSEN or near in CHOSEN):
            continue
        spoilt = copy.deepcopy(log)
        holder = spoilt
        for name in way[:-1]:
            holder = holder[name]
        if value is None:
            del holder[way[-1]]
        else:
            holder[way[-1]] = value
        assert is_found(spoilt), f"passed: {way} = {value!r}"
        count += 1
    result, rules = run["results"][0], run["tool"]["driver"]["rules"]
    for holder, name, value in [(result, "ruleIndex", result["ruleIndex"] - 1), (result, "level", "warning"),
                                (rules[0], "id", rules[1]["id"]),
                                (result, "relatedLocations", result["relatedLocations"] * 2),
                                (run, "invocations", run["invocations"] * 2)]:
        was, holder[name] = holder[name], value
        assert is_found(log), f"passed: {name} = {value!r}"
        holder[name] = was
    print(f"{count} spoilt logs were found")


def summaries(result):
    """RULE:URI:LINE, and the same with the column."""
    said = result["ruleId"]
    for location in result.get("locations", []):
        at = location["physicalLocation"]
        said += f":{at['artifactLocation']['uri']}:{at['region']['startLine']}"
        yield f"{said}:{at['region'].get('startColumn')}"
    yield said


def check_claims(run, worst, expected):
    assert worst_of(run) == worst
    said = [summary for result in run["results"] for summary in summaries(result)]
    for claim in expected:
        if claim == "decisions":
            decided = {r["properties"]["decision"] for r in run["results"] if r["kind"] == "informational"}
            assert decided == {"plain", "atomic", "grid"}, f"decisions: {decided}"
            assert all(r["locations"][0]["physicalLocation"]["region"]["startLine"] > 1
                       for r in run["results"]), "a decision without its line"
        else:
            assert claim in said, f"no {claim} in {said}"


def main():
    mode = sys.argv[1] if sys.argv[1].startswith("--") else ""
    names = sys.argv[2:] if mode else sys.argv[1:]
    if mode == "--spoil":
        return spoil(read(names[0]))
    for name in names if mode == "--all" else names[:1]:
        log = read(name)
        try:
            check_log(log)
            ask_schema(log)
        except AssertionError as error:
            sys.exit(f"{name}: {error}")
    if not mode:
        check_claims(log["runs"][0], names[1], names[2:])


main()
