#!/usr/bin/env python3
"""Writes limits.cu: for fixed limits that a source can reach, kernels and functions one below each,
at it and one above it. Their gradients are held against central differences.

usage: limits.py REPOSITORY [OUT.cu]

The limits are read where they stand, so a test goes with its limit; one that is gone ends this with an error.
Without OUT.cu: the files where they stand, parted by semicolons.
"""
import os
import re
import sys


class Limits:
    def __init__(self, root):
        self.root = root

    def read(self, file, name):
        with open(os.path.join(self.root, file), encoding="utf-8") as source:
            found = re.search(rf"\b{name} = (\d+)", source.read())
        if not found:
            sys.exit(f"{file} has no {name}")
        return int(found.group(1))


def around(limit):
    return limit - 1, limit, limit + 1


def sums(n, text):
    """A statement for each k below n."""
    return " ".join(text.replace("@", str(k)) for k in range(n))


# ---- bodies of kernels: x has 256 cells, `list` 64 entries below 4, y one for each of 64 threads ----
def cells(n):  # a local array that becomes variables, or does not
    return f"""double a[{n}], s = 0;
    for (int k = 0; k < {n}; k++) a[k] = x[k] * x[i];
    for (int k = 0; k < {n}; k++) s += (k + 1) * a[k] * a[({n} - 1) - k];
    y[i] = s;"""


def trips(n):  # written out, or not; what it stores lies in a local array, or not
    return f"""double v = x[i];
    for (int k = 0; k < {n}; k++) v = sin(v) + x[k] * v;
    y[i] = v;"""


def tape(n):  # two slots a trip, of which nobody knows how many there are
    return f"""double v = x[i];
    for (int k = 0; k < {n} && v < 1e9; k++) v = sin(v) + 0.1 * v * x[k];
    y[i] = v;"""


def shared_cells(n):  # all threads add to the same cells
    return "double s = 0; " + sums(n, "s += (@ + 1) * sin(x[@] * x[i]);") + " y[i] = s;"


def own_cells(n):  # additions of one region
    return "double s = 0; " + sums(n, f"s += (@ + 1) * x[(list[i] * {n} + @) % 256] * x[i];") + " y[i] = s;"


def record(n):
    return f"""const record_{n} *r = (const record_{n} *)x + list[i];
    double s = 0; """ + sums(n, "s += (@ + 1) * r->v@ * r->v@;") + " y[i] = s;"


def arrays(n):  # several arrays in shared memory
    return sums(n, "__shared__ double s@[64]; s@[i] = x[i + @] * x[@];") + \
        " __syncthreads(); double s = 0; for (int k = 0; k < 64; k++) s += " + \
        " + ".join(f"{k + 1} * s{k}[k]" for k in range(n)) + "; y[i] = s * x[i];"


def copied(n):
    return f"""list_{n} a, b;
    for (int k = 0; k < {n}; k++) a.v[k] = (k + 1) * x[k] * x[i];
    b = a;
    double s = 0;
    for (int k = 0; k < {n}; k++) s += b.v[k] * b.v[{n} - 1 - k];
    y[i] = s;"""


def chosen(n):  # a pointer to one of several
    return sums(n, "double c@ = (@ + 1) * x[@];") + " double *p = &c0; " + \
        sums(n, f"if (i % {n} == @) p = &c@;") + " y[i] = *p * *p * x[i];"


def stencil(n):  # how far a scatter is turned into a gather
    return f"y[i] = x[i] * x[i + {n}] + x[i + 2 * {n}];"


def stencil_adds(n):
    return "double s = 0; " + sums(n, "s += (@ + 1) * x[i + @] * x[i + @];") + " y[i] = s;"


def carried(n):  # loops in loops whose numbers are carried on
    return sums(n, "double v@ = x[@];") + f"""
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < min(list[i], 3) + a; b++) {{ """ + \
        sums(n, f"v@ = 0.5 * v@ * v@ + 0.1 * x[(a + b + @) % 64];") + " } y[i] = " + \
        " + ".join(f"{k + 1} * v{k}" for k in range(n)) + ";"


def dimensions(n):
    return f"double a{'[2]' * n}; a{'[0]' * n} = x[i] * x[0]; a{'[1]' * n} = x[i]; " \
        f"y[i] = a{'[0]' * n} * a{'[1]' * n};"


def table(n):
    return f"static const double t[{n}] = {{3, 1, 2}}; y[i] = (t[list[i]] + t[{n} - 1]) * x[i] * x[i];"


KERNELS = [  # body, file, name of the limit, what is added to that
    (cells, "analysis/clean/scalars.c", "MOST_CELLS", 0),
    (trips, "analysis/clean/unroll.c", "MOST_TRIPS", 0),
    (tape, "rewriters/tape/tape.c", "LOCAL_SLOTS", -32),
    (shared_cells, "rewriters/accumulate/warp.c", "MOST_VALUES", 0),
    (own_cells, "rewriters/device/delay.c", "MOST_DELAYED", 0),
    (record, "rewriters/accumulate/record.c", "MOST_MEMBERS", 0),
    (record, "rewriters/accumulate/vector.c", "MOST_COMPONENTS", 0),
    (arrays, "rewriters/emit/text/together.c", "MOST_MEMBERS", 0),
    (copied, "plugin/frontend/place/place.c", "UNROLLED", 0),
    (chosen, "plugin/frontend/state/targets.c", "MOST", 0),
    (stencil, "rewriters/gather/shift.c", "MOST_SHIFT", 0),
    (stencil_adds, "rewriters/gather/shift.c", "MOST_ADDS", 0),
    (carried, "rewriters/adjoint/nest/nest.h", "GW_NEST_STATES", 0),
    (dimensions, "plugin/frontend/state/state.h", "GW_PLACE_INDICES", 0),
    (table, "rewriters/emit/text/table.c", "MOST_CELLS", 0),
]
# ---- programs: x and y have 256 cells ----
def listed(n):  # a vector's elements are the program's own, or lie in pinned memory
    return "", f"""std::vector<double> h({n});
    double *u;
    cudaMalloc(&u, {n} * sizeof(double));
    square<<<1, 288>>>(u, x, {n});
    cudaMemcpy(h.data(), u, {n} * sizeof(double), cudaMemcpyDeviceToHost);
    for (int k = 0; k < {n}; k++) h[k] *= k + 1;
    cudaMemcpy(u, h.data(), {n} * sizeof(double), cudaMemcpyHostToDevice);
    square<<<1, 288>>>(y, u, {n});
    cudaFree(u);"""


def leaves(n):  # numbers of a struct that is passed by value
    numbers = ", ".join(f"v{k}" for k in range(n - 2))
    return f"""struct wide_{n} {{ double *y; const double *x; double {numbers}; }};
__global__ void weigh_{n}(wide_{n} w) {{
    const int i = threadIdx.x;
    double s = 0;
    {sums(n - 2, "s += (@ + 1) * w.v@ * w.x[i];")}
    w.y[i] = s;
}}
""", f"""wide_{n} w;
    double h[4];
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    w.y = y, w.x = x;
    {"".join(f"w.v{k} = h[{k % 4}] * h[3]; " for k in range(n - 2))}
    weigh_{n}<<<1, 256>>>(w);"""


def pointers(n):  # in an array that a struct holds
    return f"""struct several_{n} {{ double *y; const double *x; const int *list[{n}]; }};
__global__ void add_{n}(several_{n} w) {{
    const int i = threadIdx.x;
    double s = 0;
    for (int k = 0; k < {n}; k++) s += (k + 1) * w.x[i + w.list[k][k % 8]] * w.x[k];
    w.y[i] = s;
}}
""", f"""several_{n} w;
    int *all;
    cudaMalloc(&all, 128 * sizeof(int));
    cudaMemset(all, 0, 128 * sizeof(int));
    w.y = y, w.x = x;
    for (int k = 0; k < {n}; k++) w.list[k] = all + k;
    add_{n}<<<1, 256>>>(w);
    cudaFree(all);"""


def twins(n):  # pointers of one launch that lead to one buffer
    return f"""struct twins_of_{n} {{ const double *x[{n}]; }};
__global__ void multiply_{n}(double *y, twins_of_{n} w) {{
    const int i = threadIdx.x;
    double s = 0;
    for (int k = 0; k < {n}; k++) s += (k + 1) * w.x[k][i] * w.x[{n} - 1 - k][i];
    y[i] = s;
}}
""", f"""twins_of_{n} w;
    for (int k = 0; k < {n}; k++) w.x[k] = x + k;
    multiply_{n}<<<1, 256>>>(y, w);"""


def given(n):  # parameters of a function that has a pullback
    numbers = "".join(f", double a{k}" for k in range(n - 4))
    adds = " ".join(f"s += {k + 1} * a{k} * a{k};" for k in range(n - 4))
    return f"""__global__ void scale_{n}(double *y, const double *x, double s, int n) {{
    const int i = threadIdx.x;
    if (i < n) y[i] = s * x[i];
}}
__global__ void scale_back_{n}(double *d_y, double *d_x, const double *x, double s, double *d_s, int n) {{
    const int i = threadIdx.x;
    if (i >= n) return;
    atomicAdd(d_s, d_y[i] * x[i]);
    d_x[i] += s * d_y[i];
    d_y[i] = 0;
}}
static void work_{n}(double *y, const double *x, int n, cudaStream_t stream{numbers}) {{
    double s = 0;
    {adds}
    scale_{n}<<<1, 256, 0, stream>>>(y, x, s, n);
}}
GW_DERIVATIVE_OF("pullback of work_{n}")
static void work_back_{n}(double *, const double *x, int n, cudaStream_t stream{numbers}, double *d_y,
                          double *d_x{"".join(f", double *d_a{k}" for k in range(n - 4))}) {{
    double s = 0, d_s, *sum;
    {adds}
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(sum, 0, sizeof(double));
    scale_back_{n}<<<1, 256, 0, stream>>>(d_y, d_x, x, s, sum, n);
    cudaMemcpy(&d_s, sum, sizeof d_s, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    {" ".join(f"if (d_a{k}) *d_a{k} += {2 * (k + 1)} * a{k} * d_s;" for k in range(n - 4))}
}}
""", f"""double h[4];
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    work_{n}(y, x, 256, nullptr{"".join(f", h[{k % 4}]" for k in range(n - 4))});"""


PROGRAMS = [
    (listed, "plugin/frontend/device/host.c", "MOST_CELLS", 0),
    (leaves, "analysis/ir/leaf.h", "GW_MOST_STRUCT_LEAVES", 0),
    (pointers, "plugin/frontend/place/place.c", "UNROLLED", 0),
    (pointers, "plugin/frontend/type/shape.c", "MOST_LEAVES", 0),
    (twins, "runtime/program/private.h", "GW_TWINS_MOST", 1),
    (given, "plugin/frontend/device/rule.c", "MOST_PARAMS", 0),
]

REFUSED = (chosen, dimensions, leaves, twins, given)  # above the limit

HEAD = """#include <cmath>
#include <cstdio>
#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <vector>
__global__ void square(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * u[i];
}
"""

MAIN = """
template <class T> struct managed {
    T *at;
    managed(int n, T with) { cudaMallocManaged(&at, n * sizeof(T)); for (int i = 0; i < n; i++) at[i] = with; }
    ~managed() { cudaFree(at); }
};
static int failed = 0;
// The slope along a direction, and of one cell.
template <class F, class G> void hold(const char *name, int cells, F primal, G gradient) {
    managed<double> x(320, 0), y(320, 0), d_x(320, 0), d_y(320, 0);
    double slope = 0, want = 0, by[320];
    for (int i = 0; i < 320; i++)
        x.at[i] = 0.3 + 0.5 * ((i * 37 % 64) / 64.0), by[i] = ((i * 29 + 7) % 31 - 15) / 15.0;
    for (int i = 0; i < cells; i++) d_y.at[i] = 1 + (i % 3);
    gradient(y.at, x.at, d_y.at, d_x.at);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED %s: %s\\n", name, gw_last_error()), failed++;
    for (int i = 0; i < 320; i++) slope += by[i] * d_x.at[i];
    for (int side = -1; side <= 1; side += 2) {
        const double h = 1e-5;
        for (int i = 0; i < 320; i++) x.at[i] += side * h * by[i];
        primal(y.at, x.at);
        cudaDeviceSynchronize();
        for (int i = 0; i < cells; i++) want += side * (1 + i % 3) * y.at[i] / (2 * h);
        for (int i = 0; i < 320; i++) x.at[i] -= side * h * by[i];
    }
    const bool good = std::fabs(slope - want) <= 1e-6 * (std::fabs(slope) + std::fabs(want)) && want != 0;
    if (!good) printf("FAILED %s: slope %.12g, differences %.12g\\n", name, slope, want), failed++;
}
#define KERNEL(NAME) \\
    hold(#NAME, 64, [&](double *y, const double *x) { NAME<<<1, 64>>>(y, x, list.at); }, \\
        [&](double *y, double *x, double *d_y, double *d_x) { \\
            const size_t bytes = NAME##_workspace_bytes(1, 64, y, x, list.at); \\
            managed<char> work((int)bytes + 1, 0); \\
            if (NAME##_grad_launch(1, 64, 0, nullptr, y, x, list.at, d_y, d_x, work.at, bytes) != GW_OK) \\
                printf("FAILED %s: %s\\n", #NAME, gw_last_error()), failed++; \\
            cudaDeviceSynchronize(); \\
        });
#define PROGRAM(NAME) \\
    hold(#NAME, 256, [&](double *y, const double *x) { NAME(y, x); }, \\
        [&](double *y, double *x, double *d_y, double *d_x) { \\
            if (NAME##_grad(y, x, d_y, d_x) != GW_OK) \\
                printf("FAILED %s: %s\\n", #NAME, gw_last_error()), failed++; \\
        });
int main() {
    managed<int> list(64, 0);
    for (int i = 0; i < 64; i++) list.at[i] = i * 7 % 4;
"""


def members(n, seen):
    made = f"struct record_{n} {{ double {', '.join(f'v{k}' for k in range(n))}; }};\n" \
        f"struct list_{n} {{ double v[{n}]; }};\n"
    return "" if n in seen or seen.add(n) else made


def write_kernels(limits, seen):
    text = calls = ""
    for body, file, name, more in KERNELS:
        limit = limits.read(file, name) + more
        for n in around(limit):
            if body in REFUSED and n > limit:
                continue
            kernel = f"{body.__name__}_{n}_of_{os.path.basename(file).split('.')[0]}"
            text += members(n, seen)
            text += f'GW_GRADIENT("y wrt x")\n__global__ void {kernel}(double *y, const double *x, ' \
                f"const int *list) {{\n    const int i = threadIdx.x;\n    (void)list;\n    {body(n)}\n}}\n"
            calls += f"    KERNEL({kernel})\n"
    return text, calls


def write_programs(limits):
    text = calls = ""
    for body, file, name, more in PROGRAMS:
        limit = limits.read(file, name) + more
        for n in around(limit):
            if (body in REFUSED or name == "MOST_LEAVES") and n > limit:
                continue
            before, inside = body(n)
            text += f'{before}GW_GRADIENT("y wrt x")\nvoid {body.__name__}_{n}(double *y, const double *x) ' \
                f"{{\n    {inside}\n}}\n"
            calls += f"    PROGRAM({body.__name__}_{n})\n"
    return text, calls


def main():
    root, *path = sys.argv[1:]
    if not path:
        print(";".join(sorted({os.path.join(root, file) for _, file, _, _ in KERNELS + PROGRAMS})), end="")
        return
    limits = Limits(root)
    kernels, kernel_calls = write_kernels(limits, set())
    programs, program_calls = write_programs(limits)
    with open(path[0], "w", encoding="utf-8") as out:
        out.write(HEAD + kernels + programs + '#include "limits.grad.cuh"\n' + MAIN)
        out.write(kernel_calls + program_calls)
        out.write('    if (!failed) printf("ok\\n");\n    return failed != 0;\n}\n')


main()
