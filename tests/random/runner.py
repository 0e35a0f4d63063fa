"""What random_kernels.py and random_functions.py have in common: options, batches, failures made small, the
summary."""
import argparse
import collections
import math
import os
import random
import tempfile

import carry
import chosen
from shrink import shrink

MOST_KINKS = 0.02


def most_of(count, share, drawn):
    """The part that may be the share of count; where the seed was drawn, chance may add three standard
    deviations."""
    return share * count + (3 * math.sqrt(share * (1 - share) * count) if drawn else 0)


def options_parser(description, count, batch):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradwright", default="gradwright")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--batch", type=int, default=batch, help="how many in a file")
    parser.add_argument("--keep", metavar="DIR", help="where the last files and the failures' sources stay")
    parser.add_argument("--shrink", type=int, default=3, metavar="N",
                        help="how many kinds of failure are made small")
    parser.add_argument("--emit-only", metavar="DIR", help="emit into DIR; compile and run nothing")
    parser.add_argument("--run", metavar="DIR", help="compile and run what --emit-only left")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--default", action="store_true", help="those of default_seeds.json, each in its form")
    parser.add_argument("--choose", action="store_true", help="look for the default ones, and write that file")
    parser.add_argument("--trust", action="store_true",
                        help="with --choose: the present ones are right; try only others")
    parser.add_argument("--cover", action="store_true",
                        help="whether the default ones still have every kind of construct")
    parser.add_argument("--range", type=int, default=400, help="of --choose and --cover: up to which one")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--gradwright-arg", action="append", default=[])
    return parser


class Runner:
    """what: "kernels"; most_refused: the part that may be; real_of(made): its type of reals when it is printed;
    source(named, stem): a file of them; extension: of such a file; form_of(result, batch): in which form the
    failure is built again while it is made small; default_form(seed, banned): that of a default one, see
    chosen.py."""

    def __init__(self, options, what, most_refused, real_of, source, extension, form_of, default_form):
        self.options, self.what, self.most_refused, self.real_of = options, what, most_refused, real_of
        self.source, self.extension, self.form_of, self.shrunk = source, extension, form_of, []
        self.default_form = default_form

    def smallest(self, harness, made, result, batch):
        """Only the form in which it fails is built; what gradwright says needs none."""
        builds = not result.key.startswith(("diagnostic", "gradwright"))

        def fails(candidates):
            named = [(f"k{made.seed}v{k}", candidate) for k, candidate in enumerate(candidates)]
            results = harness.check(named, self.form_of(result, batch), builds)
            return [name in results and results[name].key == result.key for name, _ in named]
        return shrink(made, fails)

    def report(self, harness, name, made, result, batch):
        print(f"FAIL {name}: {result.key}\n{result.text}", flush=True)
        if result.key not in self.shrunk and len(self.shrunk) < self.options.shrink:
            self.shrunk.append(result.key)
            made = self.smallest(harness, made, result, batch)
        print(f"Smallest source (seed {made.seed}):\n{made.text(name, self.real_of(made))}", flush=True)
        if self.options.keep:
            path = os.path.join(self.options.keep, f"{name}.{self.extension}")
            with open(path, "w") as file:
                file.write(self.source([(name, made)], name)[0])
            print(f"kept as {path}")

    def summary(self, results):
        """Prints it; whether all is well."""
        states = collections.Counter(r.state for r in results.values())
        cells, kinks, sums = (sum(getattr(r, of) for r in results.values())
                              for of in ("cells", "kinks", "sums"))
        print(f"{len(results)} {self.what}: {states['ok']} right, {states['FAIL']} failed, {states['refused']} "
              f"refused, "
              f"{states['unusable']} unusable; {cells} cells compared, {kinks} at a kink"
              f"{f'; {sums} exact sums, bit by bit' if sums else ''}")
        for word, state in (("refused", "refused"), ("failed", "FAIL")):
            for key, count in collections.Counter(r.key for r in results.values() if r.state
                                                  == state).most_common():
                example = next(name for name, r in results.items() if r.key == key)
                print(f"{count:6} {word}: {key} ({example})")
        good = states["FAIL"] == 0
        if "exact" in (getattr(self.options, "form", None) or "") and not sums:
            print("no sum was exact")
            good = False
        if kinks > MOST_KINKS * cells:
            print("too many cells at a kink")
            good = False
        if states["refused"] + states["unusable"] > most_of(len(results), self.most_refused,
                                                            self.options.seed is None):
            print(f"too many {self.what} refused")
            good = False
        return good

    def go(self, make, harness_in):
        """make(seed); harness_in(folder, seed). Whether all is well."""
        options = self.options
        if options.cover:
            return chosen.cover(self, make)
        if options.default or options.choose:
            return self.with_harness(harness_in, 1, lambda harness: (chosen.choose if options.choose
                                                                     else chosen.run)(self, make, harness))
        seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1, 10**9)
        print(f"seed {seed}", flush=True)
        all_named = [(f"k{s}", make(s)) for s in range(seed, seed + options.count)]
        if options.print:
            for name, made in all_named:
                print(made.text(name, self.real_of(made)))
            return True
        return self.with_harness(harness_in, seed, lambda harness: self.batches(harness, all_named))

    def with_harness(self, harness_in, seed, use):
        options = self.options
        with tempfile.TemporaryDirectory(prefix=f"random_{self.what.split()[-1]}.") as scratch:
            # runs may share the former
            folder = os.path.join(os.path.abspath(options.keep), str(seed)) if options.keep else scratch
            os.makedirs(folder, exist_ok=True)
            return use(harness_in(folder, seed))

    def batches(self, harness, all_named):
        options, results = self.options, {}
        if options.emit_only:
            self.summary(carry.emit(harness, all_named, options.emit_only, options.batch))
            return True
        for batch, first in enumerate(range(0, len(all_named), options.batch)):
            named = all_named[first:first + options.batch]
            results.update(harness.check(named))
            for name, made in named:
                if results[name].state == "FAIL":
                    self.report(harness, name, made, results[name], batch)
        return self.summary(results)
