"""The default run: few kernels that together have every kind of construct, in every form; default_seeds.json
holds their numbers.

--choose looks for them among the kernels 1 to --range: a cover of the kinds that choices.py counts, cheap
kernels first, of which each must prove right in its form (a kernel's number says which that is). A kind that is
only in refused ones is looked for in FURTHER times as many; if all of those are refused, one is made, and not
run. --cover fails if the kernels 1 to --range have a kind that the chosen ones lack. --default runs them, and
fails if one of them is refused. When either fails for a good reason, choose again.
"""
import collections
import json
import os

from choices import constructs

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "default_seeds.json")
SHOWN = 20
FURTHER = 4
LIKED = 1.5  # what a kernel is worth that has proved right
# What only kernels behind all those have, by the modules of the generator that make it, and where that is
# looked for.
NEWER, NEWER_SEEDS = ("packed.",), range(1601, 1681)
# What came after that counts by the places that make something alone, without what was drawn there.
LATEST, LATEST_SEEDS = ("ties.", "guards.", "learnt.", "spaces."), range(2001, 2081)
BASE = 2500  # what a kernel costs beside its text, in letters of it


def load():
    if not os.path.exists(PATH):
        return {}
    with open(PATH) as file:
        return json.load(file)


def store(name, chosen):
    every = {**load(), name: chosen}
    rows = []
    for key in sorted(every):
        parts = ",\n".join(f"      {json.dumps(form)}: {json.dumps(seeds)}"
                           for form, seeds in every[key]["run"].items())
        made = json.dumps(every[key]["made"])
        rows.append(f'  {json.dumps(key)}: {{\n    "run": {{\n{parts}\n    }},\n    "made": {made}\n  }}')
    with open(PATH, "w") as file:
        file.write("{\n" + ",\n".join(rows) + "\n}\n")


class Kinds:
    """The kinds of construct of the kernels of some seeds."""

    def __init__(self, make, seeds):
        self.of, self.cost = {}, {}
        self.add(make, seeds)

    def add(self, make, seeds, wanted=None):
        """wanted: only of those kernels that have something of this."""
        for seed in seeds:
            made = make(seed)
            kinds = constructs(made)
            if wanted is None or kinds & wanted:
                self.of[seed] = kinds
                self.cost[seed] = BASE + (2 if made.single else 1) * len(made.text("k", "double"))

    def newer(self):
        latest = {kind for kind in self.union(LATEST_SEEDS) if kind.startswith(LATEST) and " " not in kind}
        return latest | {kind for kind in self.union(NEWER_SEEDS) if kind.startswith(NEWER)}

    def union(self, seeds):
        return set().union(*(self.of[seed] for seed in seeds))

    def cover(self, wanted, seeds, liked=()):
        """Seeds whose kernels have all that is wanted and any of these have; those that are liked are worth
        more."""
        found, left = [], wanted & self.union(seeds)
        worth = {seed: (LIKED if seed in liked else 1) / self.cost[seed] for seed in seeds}
        while left:
            found.append(max(seeds, key=lambda seed: len(self.of[seed] & left) * worth[seed]))
            left -= self.of[found[-1]]
        for seed in list(found):
            others = [other for other in found if other != seed]
            if not wanted & self.of[seed] - self.union(others):
                found = others
        return found


def cover(runner, make):
    chosen, last = load()[runner.what], runner.options.range
    run = [seed for seeds in chosen["run"].values() for seed in seeds]
    kinds = Kinds(make, sorted({*range(1, last + 1), *NEWER_SEEDS, *LATEST_SEEDS, *run, *chosen["made"]}))
    have, wide = kinds.union(run), kinds.union(range(1, last + 1)) | kinds.newer()
    missing = sorted(wide - have - kinds.union(chosen["made"]))
    print(f"{runner.what}: {len(run)} chosen ones in {len(chosen['run'])} forms have {len(have)} kinds of "
          f"construct, "
          f"{len(kinds.union(chosen['made']) - have)} more are in refused ones only; the first {last} have "
          f"{len(kinds.union(range(1, last + 1)))}; {len(missing)} missing")
    for kind in missing[:SHOWN]:
        print(f"missing: {kind} (k{next(seed for seed in kinds.of if kind in kinds.of[seed])})")
    if missing:
        print("Choose again: scripts/choose-random")
    return not missing


def choose(runner, make, harness):
    """runner.default_form(seed, banned): the form that the kernel runs in, none of those that are banned for
    it."""
    last, trusted = runner.options.range, load()[runner.what]["run"] if runner.options.trust else {}
    kinds = Kinds(make, [*range(1, last + 1), *NEWER_SEEDS, *LATEST_SEEDS])
    good = {seed: form for form, seeds in trusted.items() for seed in seeds}
    banned = collections.defaultdict(set)  # by seed; None is in it if the kernel can run in no form
    wanted, rest = kinds.union(range(1, last + 1)) | kinds.newer(), None
    while True:
        form = {seed: runner.default_form(seed, banned[seed]) for seed in kinds.of}
        usable = [seed for seed in kinds.of if form[seed] is not None]
        first = {}  # of each form one, whatever it has
        liked = {seed for seed in usable if good.get(seed) == form[seed]}
        for seed in sorted(usable, key=lambda seed: (seed not in liked, kinds.cost[seed])):
            first.setdefault(form[seed], seed)
        run = kinds.cover(wanted, usable, liked)
        run += [seed for key, seed in first.items() if not any(form[other] == key for other in run)]
        unknown = [seed for seed in run if good.get(seed) != form[seed]]
        print(f"{len(run)} for {len(kinds.union(run))} of {len(wanted)} kinds, {len(unknown)} to be tried",
              flush=True)
        if not unknown and rest is None:
            rest = wanted - kinds.union(run)
            kinds.add(make, range(last + 1, FURTHER * last + 1) if rest else (), rest)
            continue
        if not unknown:
            break
        parts = [(key, named(make, seeds)) for key, seeds in parts_of(unknown, form).items()]
        for text, result in harness.check_parts(parts).items():
            seed = int(text[1:])
            if result.state == "ok":
                good[seed] = form[seed]
            else:
                banned[seed].add(form[seed] if result.key == "no-fixed-order" else None)
                print(f"{text} ({form[seed]}): {result.state} {result.key}", flush=True)
    made = kinds.cover(wanted - kinds.union(run), list(kinds.of))
    store(runner.what, {"run": parts_of(sorted(run), form), "made": sorted(made)})
    print(f"{len(run)} to run in {len(parts_of(run, form))} forms, {len(made)} to make only")
    return True


def named(make, seeds):
    return [(f"k{seed}", make(seed)) for seed in seeds]


def parts_of(seeds, form):
    parts = {}
    for seed in seeds:
        parts.setdefault(form[seed], []).append(seed)
    return dict(sorted(parts.items()))


def run(runner, make, harness):
    parts = [(form, named(make, seeds)) for form, seeds in load()[runner.what]["run"].items()]
    results = harness.check_parts(parts)
    for form, part in parts:
        for text, kernel in part:
            if results[text].state == "FAIL":
                runner.report(harness, text, kernel, results[text], int(form) if form.isdigit() else 0)
    good = runner.summary(results)
    for text, result in results.items():
        if result.state in ("refused", "unusable"):
            print(f"{text} was right when it was chosen, and is {result.state} now ({result.key}). "
                  "If that is meant, choose again: scripts/choose-random")
            good = False
    return good
