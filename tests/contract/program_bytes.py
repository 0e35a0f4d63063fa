#!/usr/bin/env python3
"""What --explain says of a program's bytes, as expressions in its parameters, against what a run takes.

usage: program_bytes.py GRADWRIGHT GWCC FOLDER [SOURCE...]

The expressions are evaluated at the arguments of a call, and compared with the figures of the pool
(gw_pool_figures): by purpose they may not be less, the peak may not be less, and not more than a case allows.
Sizes are such that the pool rounds no block up, but where a case says by how much.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PURPOSES = ("own", "saved", "adjoints", "workspace", "peak")
LINE = re.compile(r"^ {10}(?:the program's )?(own|saved|adjoints|workspace|peak): (.*)$")

DRIVER = """#define main main_of_the_source
#include "%s"
#undef main
static gw_pool *driven;
template <class T> static T *filled(size_t count, T value = T()) {
    T *made = nullptr;
    if (cudaMallocManaged(&made, count * sizeof(T)) != cudaSuccess) abort();
    for (size_t i = 0; i < count; i++) made[i] = value;
    return made;
}
static void tell(const char *name, gw_status status) {
    if (status != GW_OK) fprintf(stderr, "%%s: %%s\\n", name, gw_last_error()), exit(1);
    cudaDeviceSynchronize();
    gw_program_figures f;
    gw_pool_figures(driven, &f);
    printf("%%s %%zu %%zu %%zu %%zu %%zu\\n", name, f.own, f.saved, f.shadows, f.work,
           f.peak);
    gw_pool_free(driven);
}
static gw_pool *fresh() {
    if (gw_pool_make(&driven) != GW_OK) abort();
    return driven;
}
int main() {
%s    return 0;
}
"""

HEAT = """    {{
        const shape s = {{{w}, {h}, {steps}, 4}};
        const size_t n = s.cells();
        float *loss = filled<float>(64), *u = filled(n, 0.5f), *k = filled(n, 0.5f), *m = filled(4 * n, 1.0f);
        float *d_loss = filled(64, 1.0f), *d_u = filled<float>(n), *d_k = filled<float>(n);
        tell("{f}", {f}_grad_in(fresh(), loss, u, k, m, 0.25f, s, nullptr, d_loss, d_u, d_k));
    }}
"""


def heat(function, w, h, steps, most):
    cells = 4 * w * h
    return (function, HEAT.format(f=function, w=w, h=h, steps=steps),
            {"s.width": w, "s.height": h, "s.steps": steps, "bytes(measured)": 4 * cells, "bytes(loss)": 256},
            most, 0)


CHECKPOINT = """    {{
        const int n = 128, steps = {steps}, inner = {inner};
        double *loss = filled<double>(n), *path = filled<double>(n * steps), *u0 = filled(n, 0.5),
               *k = filled(n, 0.1), *target = filled(n, 0.2), *d_loss = filled(n, 1.0),
               *d_u0 = filled<double>(n), *d_k = filled<double>(n), d_dt = 0;
        tell("{f}", {f}_grad_in(fresh(), loss, path, u0, k, target, 0.1, n, steps{more}, d_loss, d_u0, d_k,
                                &d_dt));
    }}
"""


def checkpoint(function, steps, inner, most):
    more = ", nullptr, nullptr" if function.startswith("chain") else ", inner, nullptr"
    return (function, CHECKPOINT.format(f=function, steps=steps, inner=inner, more=more),
            {"n": 128, "steps": steps, "inner": inner, "bytes(loss)": 1024, "bytes(k)": 1024,
             "bytes(target)": 1024, "bytes(path)": 1024 * steps}, most, 0)


def simple(function, body, values, most, slack=0):
    return (function, "    {\n" + body + "    }\n", values, most, slack)


# The calls of each source: function, text, what the unknowns are, peak said / peak taken at most, bytes by
# which blocks are rounded up.
SOURCES = {
    "tests/contract/program_figures.cu": [simple("heat", """
        double *loss = filled<double>(32), *u0 = filled(512, 0.5), *d_loss = filled(32, 1.0);
        double *d_u0 = filled<double>(512), d_k = 0;
        tell("heat", heat_grad_in(fresh(), loss, u0, 0.1, 512, 6, nullptr, d_loss, d_u0, &d_k));
""", {"n": 512, "steps": 6}, 1.25)],
    "examples/heat/heat.cu": [
        heat("misfit", 64, 32, 64, 1.04), heat("misfit", 32, 32, 24, 1.08),
        heat("misfit_in_parts", 64, 32, 64, 1.15), heat("misfit_in_parts", 64, 32, 256, 1.1),
        heat("misfit_in_budget", 64, 32, 256, 1.3)],
    "tests/contract/program_checkpoint.cu": [
        checkpoint("plain", 6, 2, 1.35), checkpoint("plain", 3, 0, 1.9), checkpoint("plain_3", 7, 2, 2.2),
        checkpoint("plain_b3", 6, 2, 2), checkpoint("plain_2_2", 6, 3, 2.2),
        checkpoint("plain_in_2", 4, 3, 2), checkpoint("chain", 6, 0, 2.1), checkpoint("chain_3", 6, 0, 2.4),
        checkpoint("chain_b2", 6, 0, 3)],
    "tests/contract/program_fills.cu": [simple("fills", """
        double *loss = filled<double>(32), *u = filled(64, 0.5), *d_loss = filled(32, 1.0);
        double *d_u = filled<double>(64), d_factor = 0;
        tell("fills", fills_grad_in(fresh(), loss, u, 0.5, 64, 5, nullptr, d_loss, d_u, &d_factor));
""", {"n": 64, "steps": 5}, 1.6)],
    "tests/contract/program_objects.cu": [simple("powers", """
        double *loss = filled<double>(32), *x = filled(32, 0.5), *d_loss = filled(32, 1.0);
        double *d_x = filled<double>(32);
        tell("powers", powers_grad_in(fresh(), loss, x, 32, 3, nullptr, d_loss, d_x));
""", {"n": 32, "steps": 3}, 5)],
    "tests/contract/program_streams.cu": [simple("fork", """
        double *loss = filled<double>(32), *x = filled(32, 0.5), *d_loss = filled(32, 1.0);
        double *d_x = filled<double>(32), d_by = 0;
        tell("fork", fork_grad_in(fresh(), loss, x, 0.5, 32, 4, nullptr, d_loss, d_x, &d_by));
""", {"n": 32, "steps": 4}, 1.35)],
    "tests/contract/program_activity.cu": [simple("fields", """
        double *sum = filled<double>(32), *e = filled(64, 0.5), *h = filled(64, 0.25), *ca = filled(64, 0.75);
        double *d_sum = filled(32, 1.0), *d_e = filled<double>(64), *d_h = filled<double>(64);
        tell("fields", fields_grad_in(fresh(), sum, e, h, ca, ca, 0.5, 64, 6, d_sum, d_e, d_h));
""", {"n": 64, "steps": 6, "bytes(e)": 512, "bytes(h)": 512}, 1)],
    "tests/contract/program_thrust.cu": [simple("vectors_of_double", """
        double *y = filled<double>(64), *x = filled(64, 0.5), *d_y = filled(64, 1.0);
        double *d_x = filled<double>(64), d_a = 0;
        tell("vectors_of_double", vectors_of_double_grad_in(fresh(), y, x, 1.25, 64, d_y, d_x, &d_a));
""", {"n": 64}, 2.5, 20 * 256)],
    "examples/gaussian_splatting/fit.cu": [simple("picture_loss", """
        const camera cam = {32, 32, 32};
        const int n = 64;
        const float3 background = {0, 0, 0};
        const splats s = {filled<gaussian>(n), filled(3 * n, 0.5f), n};
        splats d_s = {filled<gaussian>(n), filled<float>(3 * n), n};
        float *loss = filled<float>(64), *out = filled<float>(3 * 1024), *target = filled<float>(3 * 1024);
        tell("picture_loss", picture_loss_grad_in(fresh(), loss, out, s, target, background, cam, nullptr,
                                                  filled(64, 1.0f), d_s));
""", {"cam.width": 32, "cam.height": 32, "s_n": 64, "bytes(out)": 12288, "bytes(target)": 12288,
          "begin": 0, "count": 0, "bytes": 256}, 1.7, 8 * 256)],
}


def explained(text, function):
    """The expressions of a program's gradient, by purpose."""
    inside, found = False, {}
    for line in text.split("\n"):
        if re.match(r"\w", line):
            inside = line.startswith(f"{function}_grad ")
        if inside and (row := LINE.match(line)):
            found[row[1]] = row[2]
    return found


def value(expression, values):
    """Unknowns are replaced by their values, the longest first; what is left has to be arithmetic."""
    for name in sorted(values, key=len, reverse=True):
        expression = re.sub(r"(?<![\w.])" + re.escape(name) + r"(?![\w(])", str(values[name]), expression)
    expression = expression.replace("/", "//")
    if not re.fullmatch(r"[\d\s()+*/-]+", expression):
        raise ValueError(f"left: {expression}")
    return eval(expression)  # pylint: disable=eval-used


def compare(case, said, taken):
    function, _, values, most, slack = case
    got = dict(zip(PURPOSES, taken))
    want = {purpose: value(said[purpose], values) for purpose in PURPOSES}
    faults = [f"{purpose}: {want[purpose]} said ({said[purpose]}), {got[purpose]} taken"
              for purpose in PURPOSES if want[purpose] + slack < got[purpose]]
    if want["peak"] > most * got["peak"]:
        faults.append(f"peak: {want['peak']} said ({said['peak']}), only {got['peak']} taken")
    print("FAIL" if faults else "ok", function, "peak", want["peak"], "said,", got["peak"], "taken",
          f"({want['peak'] / got['peak']:.3f})", *faults, sep=" ")
    return not faults


def check(gradwright, gwcc, folder, source):
    name = os.path.splitext(os.path.basename(source))[0]
    folder = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(ROOT, source)
    text = subprocess.run([gradwright, path, "-o", os.path.join(folder, name + ".grad.cuh"), "--explain"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    driver, program = os.path.join(folder, "driver.cu"), os.path.join(folder, "driver")
    with open(driver, "w", encoding="utf-8") as file:
        file.write(DRIVER % (path, "".join(case[1] for case in SOURCES[source])))
    subprocess.run([gwcc, "--device=cpu", "--no-gradients", "-w", f"-I{folder}", driver, "-o", program],
                   check=True)
    rows = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    good = True
    for case, row in zip(SOURCES[source], rows, strict=False):
        words = row.split()
        assert words and words[0] == case[0], f"{source}: {row}"
        good &= compare(case, explained(text, case[0]), [int(word) for word in words[1:]])
    return good


def main():
    gradwright, gwcc, folder = sys.argv[1:4]
    only = sys.argv[4:]
    good = True
    for source in SOURCES:
        if not only or source in only:
            good &= check(gradwright, gwcc, folder, source)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
