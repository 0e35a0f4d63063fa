"""The forms in which each measured kernel's gradient is emitted: what scripts/gpu says of them in a line each,
and the rows of docs/performance.md that are made of these lines (scripts/performance-rows).

    form NAME FORM KEY=VALUE...

A form has no times, but why, where the chosen one leaves no sums (all is owned, or summed in a fixed order),
and where it is the chosen one, letter by letter: the rung goes nowhere.
"""
import re
import statistics

# How they are asked for. They are measured in turn, so that what changes from minute to minute changes all.
FORMS = {"plain": [], "exact": ["--prefer=exact"], "slots": ["--prefer=slots"],
         "atomic": ["--accumulate=atomic"]}
ASKED = ("exact", "slots")  # of sources that call a gradient in whatever form it is
MEASURES_FORMS = re.compile(r"\bmeasure_kernel\(")
FUNCTION = re.compile(r"^(?:template <[^>]*> )?(?:inline|static|__global__|__device__|__host__)[^;{}]*?"
                      r"\b(?!__launch_bounds__)(\w+)\([^;{}]*\{(?:[^\n]*\}$|.*?^\})", re.M | re.S)
TIME = re.compile(r"^time (\w+): threads (\d+) primal (\S+) ms gradient (\S+) ms ratio (\S+) workspace (\S+) "
                  r"bytes/thread(?: kernel (\w+))?", re.M)
TOO_LARGE = re.compile(r"^too large (\w+): workspace (\S+) bytes/thread kernel (\w+)", re.M)


# ---- what a gradient adds by ----

def unordered_calls(rungs):
    """What emitted text calls where the order of additions is any, by analysis/ir/rungs.def."""
    ways = re.findall(r'^GW_WAY\((?:[^,]*,){7} 0, "(\w+)#?"', rungs, re.M)
    return re.compile(rf"\b(?:{'|'.join(sorted(set(ways)))})\d*\(")


def gradient_text(text, kernel):
    """The launch of the kernel's gradient, and what it comes to."""
    functions = {m[1]: m[0] for m in FUNCTION.finditer(text)}
    found, waiting = {}, [f"{kernel}_grad_launch"]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found[name] = functions[name]
            waiting += re.findall(r"\b\w+\b", found[name])
    return "\n".join(found[name] for name in sorted(found))


def sums_of(text, chosen, unordered):
    """What a form's gradient is beside the chosen one."""
    if not chosen:
        return "unknown"
    if not unordered.search(chosen):
        return "owned"
    if text == chosen:
        return "some"
    return "part" if unordered.search(text) else "all"


# ---- its lines ----

def times_of(said):
    """{name: (kernel, numbers)} of what a program prints: threads, primal, gradient, ratio, workspace."""
    found = {}
    for name, *numbers, kernel in TIME.findall(said):
        threads, primal, gradient, _, workspace = map(float, numbers)
        ratio = gradient / primal if primal else float("nan")  # of more digits than are printed
        found[name] = (kernel or name, [threads, primal, gradient, ratio, workspace])
    return found


def too_large_of(said):
    return {name: (kernel, float(bytes_a_thread)) for name, bytes_a_thread, kernel in TOO_LARGE.findall(said)}


def median(runs):
    """The median of each number over the rounds."""
    return [statistics.median(column) for column in zip(*runs)]


def line(name, form, **values):
    return " ".join(["form", name, form, *(f"{key}={value}" for key, value in values.items())])


def read_lines(text):
    """{name: {form: {key: value}}} in the order in which they stand."""
    rows = {}
    for words in (one.split() for one in text.splitlines() if one.startswith("form ")):
        rows.setdefault(words[1], {})[words[2]] = dict(word.split("=", 1) for word in words[3:])
    return rows


# ---- rows of the page ----

HEAD = ("| kernel | primal ms | gradient ms | ratio | `exact` | `slots` | `atomic` | registers | spilled bytes "
        "| bytes a thread |")
SAME = {"owned": "owned", "some": "no", "unknown": "?"}


def number(value):
    text = f"{float(value):.4g}"
    return text if "e" not in text else f"{float(value):,.0f}"


def ratio_of(forms, form):
    values = forms.get(form)
    if not values:
        return ""
    if values.get("fits") == "no":
        return f"too large ({number(values['workspace'])})"
    if "ratio" not in values:
        return SAME.get(values["sums"], "failed")
    more = [number(values["workspace"])] if values["workspace"] != forms["plain"]["workspace"] else []
    more += ["part"] if values["sums"] == "part" and form in ASKED else []
    return number(values["ratio"]) + (f" ({', '.join(more)})" if more else "")


def row(name, forms):
    plain = forms["plain"]
    registers = ", ".join(plain.get(key, "?") for key in ("primal_registers", "registers"))
    cells = [f"`{name}`", number(plain["primal"]), number(plain["gradient"]), number(plain["ratio"]),
             *(ratio_of(forms, form) for form in ("exact", "slots", "atomic")), registers,
             plain.get("spilled", "?"), number(plain["workspace"])]
    return "| " + " | ".join(cells) + " |"


def page(text):
    rows = read_lines(text)
    return "\n".join([HEAD, "|---" * HEAD.count(" | ") + "|---|",
                      *(row(name, forms) for name, forms in rows.items() if "ratio" in forms.get("plain", {}))])
