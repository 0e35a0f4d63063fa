#!/usr/bin/env python3
"""Mutated sources through the front end and all passes: no crash, no hang, no leak, no internal error.

usage: sources.py [--seconds S] [--runs N] [--seed S] [--jobs N] [--limit S] [--compile SHARE] [--largest BYTES]
[--keep FOLDER]
                  GRADWRIGHT GWCC SOURCE...

Each run takes one of the sources, changes it (most changes leave legal source: an operator, type or name for
another one, a statement deleted, repeated or taken from another source; the others are rough) and gives it to
the command. Good ends are a gradient (exit status 0) and diagnostics (1); a signal, a sanitizer report, more
than --limit (10) s of processor time and [internal] are bad. A share of the gradients is compiled: text that
was emitted for a source that compiles must compile too. Bad sources are kept in FOLDER; the exit status tells
whether there were any. At the end stands the processor time of all that was run.
"""
import argparse
import concurrent.futures
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\w+|#[^\n]*|"
                   r"[-+*/%&|^=<>!]=|&&|\|\||<<|>>|\+\+|--|->|::|.", re.S)
WORDS = """0 1 -1 2 1e30f 0.0 nullptr this const volatile static unsigned long double float int char bool void
auto struct union template<int> [=] [&] goto return break continue switch case default: do while for if else
throw try catch sizeof alignas __shared__ __device__ __global__ __syncthreads() threadIdx.x blockDim.y operator*
* & ** [3] [n] ( ) { } < > , ; ? : :: . -> ++ -- << >> <<<1,1>>> %= |= && ! ~ x n y[0] 4294967295u
9223372036854775807LL""".split()
PATIENCE = 60  # seconds of the clock for one of processor time: a busy machine is no hang


def tokens(text):
    return TOKEN.findall(text)


# Tokens that may stand for one another: most changes stay within a class, so that many sources still parse.
CLASSES = [
    set("+ - * / % & | ^ << >>".split()), set("< > <= >= == !=".split()), {"&&", "||"}, {"++", "--"},
    set("= += -= *= /= %= &= |= ^=".split()), set("float double int long bool unsigned char short".split()),
    {"break", "continue"}, {"if", "while"}, set("0 1 2 3 7 -1 16 1.5f 0.5 1e30 4294967295u n".split()),
    set("sin cos exp log sqrt fabs sinf cosf expf logf sqrtf floor tanh".split()), set("x y z w".split()),
    set("const static volatile unsigned extern inline constexpr".split()), {"struct", "union"}, {".", "->"},
]


def statement(chance, made, at):
    """First and last token of the statement (or line of a list) around a place."""
    first = last = at
    while first > 0 and made[first - 1] not in (";", "{", "}"):
        first -= 1
    while last < len(made) - 1 and made[last] not in (";", "{", "}"):
        last += 1
    return first, last + 1


def gentle(chance, all_tokens, made):
    """One change that mostly leaves legal source."""
    at = chance.randrange(len(made))
    kind = chance.randrange(8)
    if kind <= 3:
        similar = [i for i, t in enumerate(made) if any(t in c for c in CLASSES)]
        if similar:
            at = chance.choice(similar)
            made[at] = chance.choice(sorted(next(c for c in CLASSES if made[at] in c)))
    elif kind == 4:
        names = [i for i, t in enumerate(made) if re.fullmatch(r"[a-z]\w{0,12}", t)]
        if names:
            at = chance.choice(names)
            near = [i for i in names if abs(i - at) < 150]
            made[at] = made[chance.choice(near)]
    else:
        first, last = statement(chance, made, at)
        whole = made[first:last]
        if kind == 5:
            del made[first:last]
        elif kind == 6:
            made[last:last] = whole
        else:
            donor = chance.choice(all_tokens)
            begin, end = statement(chance, donor, chance.randrange(len(donor)))
            made[last:last] = donor[begin:end]


def mutate(chance, all_tokens, of):
    made = list(of)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if made and chance.random() < 0.85:
            gentle(chance, all_tokens, made)
        elif made:
            rough(chance, all_tokens, made)
    return "".join(made)


def rough(chance, all_tokens, made):
    at = chance.randrange(len(made))
    width = chance.choice([1, 1, 2, 4, 12, 60])
    kind = chance.randrange(7)
    if kind == 0:
        del made[at:at + width]
    elif kind == 1:
        made[at:at] = made[at:at + width] * chance.choice([1, 2, 40])
    elif kind == 2:
        other = chance.randrange(len(made))
        made[at], made[other] = made[other], made[at]
    elif kind == 3:
        made[at] = " " + chance.choice(WORDS) + " "
    elif kind == 4:
        made.insert(at, " " + chance.choice(WORDS) + " ")
    elif kind == 5 and chance.random() < 0.2:
        del made[at:]
    elif kind == 6:
        text = made[at]
        spot = chance.randrange(len(text)) if text else 0
        made[at] = text[:spot] + chr(chance.choice([0, 1, 9, 34, 39, 92, 127, 255, 0x3b1])) + text[spot + 1:]


def bad_end(status, said, limit):
    """What is wrong with the way a run ended, or None."""
    if status is None:
        return f"did not end in {PATIENCE * limit} s"
    if status == -signal.SIGXCPU:
        return f"took more than {limit} s of processor time"
    if status < 0:
        return f"signal {-status}"
    if status not in (0, 1):
        return f"exit status {status}"
    if "Sanitizer" in said or "runtime error:" in said:
        return "sanitizer report"
    if "[internal]" in said:
        return "internal error"
    if status == 1 and not said.strip():
        return "failed without a word"
    return None


def outcome(status, said):
    """"gradient", or the code of the first error."""
    codes = re.findall(r"error: .*\[([a-z-]+)\]$", said, re.M)
    return codes[0] if status and codes else "gradient" if status == 0 else "other error"


def shell(command, limit, folder=None):
    limited = ["sh", "-c", 'ulimit -St "$0"; exec "$@"', str(limit), *command]
    try:
        done = subprocess.run(limited, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE
                              * limit, cwd=folder)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""


class Run:
    def __init__(self, options, flags, sources):
        self.options, self.flags, self.sources = options, flags, sources
        self.tokens = {path: tokens(open(path, encoding="utf-8").read()) for path in sources}

    def one(self, number):
        chance = random.Random(f"{self.options.seed}/{number}")
        path = chance.choice(self.sources)
        text = mutate(chance, list(self.tokens.values()), self.tokens[path])
        with tempfile.TemporaryDirectory() as work:
            name = "m" + os.path.splitext(path)[1]
            source, output = os.path.join(work, name), os.path.join(work, "m.grad.cuh")
            with open(source, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            include = ["-I" + os.path.dirname(os.path.abspath(path)), "-Wno-everything"]
            flags = self.flags if path.endswith(".cu") else [f for f in self.flags if f.startswith("-I")]
            command = [self.options.gradwright, source, "-o", output, "--verify", "--", *flags, *include]
            status, said = shell(command, self.options.limit, work)
            wrong = bad_end(status, said, self.options.limit)
            if not wrong and status == 0 and not os.path.exists(output):
                wrong = "no output"
            if not wrong and status == 0 and chance.random() < self.options.compile:
                wrong = self.compiled(source, output, include, work)
            return number, path, status, wrong, text, said

    def compiled(self, source, output, include, work):
        """A gradient is text that compiles beside its source (which does: the front end took it)."""
        if not source.endswith(".cu"):
            return None
        both = os.path.join(work, "both.cu")
        with open(both, "w") as file:
            file.write(f'#include "{source}"\n#include "{output}"\n')
        # What the source includes of itself is left out: the second include below is the gradient.
        text = re.sub(r'#\s*include\s*"[^"\n]*\.grad\.\w+"', "", open(source, encoding="utf-8").read())
        open(source, "w", encoding="utf-8").write(text)
        command = [self.options.gwcc, "--device=cpu", "-w", "-c", both, "-o", os.path.join(work, "both.o"),
                   *include]
        status, said = shell(command, 120, work)
        if status and "m.grad.cuh" in said and re.search(r"m\.grad\.cuh:\d+:\d+: error", said):
            return "emitted text does not compile:\n" + said
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", default=str(time.time_ns()))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--compile", type=float, default=0)
    parser.add_argument("--largest", type=int, metavar="BYTES",
                        help="leave out larger sources, which take longest")
    parser.add_argument("--keep")
    parser.add_argument("gradwright")
    parser.add_argument("gwcc")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    said = subprocess.run([options.gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                          check=True)
    if options.largest:
        options.sources = [path for path in options.sources if os.path.getsize(path) <= options.largest]
    run = Run(options, said.stdout.split(), options.sources)
    started, count, ends, bad = time.monotonic(), 0, {}, []
    print(f"seed {options.seed}, {len(options.sources)} sources")

    def going():
        in_time = not options.seconds or time.monotonic() - started < options.seconds
        return in_time and (not options.runs or count < options.runs)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while going():
            most = options.runs - count if options.runs else 16 * options.jobs
            batch = range(count, count + min(16 * options.jobs, most))
            for number, path, status, wrong, text, output in pool.map(run.one, batch):
                end = wrong.split("\n")[0] if wrong else outcome(status, output)
                ends[end] = ends.get(end, 0) + 1
                if not wrong:
                    continue
                bad.append(number)
                print(f"BAD: run {number} ({path}): {wrong}\n{output[-1500:]}", flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    kept = os.path.join(options.keep, f"{number}{os.path.splitext(path)[1]}")
                    with open(kept, "w", encoding="utf-8", errors="replace") as file:
                        file.write(text)
            count += len(batch)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{count} mutated sources: " + ", ".join(f"{n} {end}" for end, n in sorted(ends.items())) +
          f"; {used.ru_utime + used.ru_stime:.0f} s of processor time")
    sys.exit(1 if bad or not ends.get("gradient") or not ends.get("syntax") else 0)


main()
