"""What random programs from LEARNT_FROM on have too: copies to the host of as many numbers as a fixed limit may
be, structs with so many pointers, enumerations, kernels of one name in two namespaces, ties between lanes and
threads, roots of 0 behind a guard."""
LEARNT_FROM = 30001
SIZES = (*range(95, 101), *range(255, 261))
POINTERS = (15, 16, 17, 18)
HERE = "const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);"
MEET = "for (int o = 4; o > 0; o /= 2) {{ if (i < o) {}; __syncthreads(); }}"

# As in launched.py; e: of the enumeration.
KERNELS = {
    "by_way": ("wrean", "double *y, const double *x, way w, double a, int n",
               "if (i >= n) return;\n    y[i] = 0.3 * x[i];\n    if (w == AHEAD) y[i] = a * sin(x[i]);\n"
               "    if (w == BACK) y[i] *= 0.6 * cos(x[n - 1 - i]);"),
    "switched": ("mren", "double *y, const double *x, way w, int n",
                 "if (i >= n) return;\n    switch (w) {\n    case AHEAD: y[i] = sin(x[i]); break;\n"
                 "    case BACK: y[i] += 0.2 * x[i]; break;\n    default: y[i] *= 0.8;\n    }"),
    "guarded": ("wrn", "double *y, const double *x, int n",
                "if (i >= n) return;\n    const double z = i % 2 ? 0.1 + x[i] * x[i] : 0 * x[i], l = sqrt(z);\n"
                "    y[i] = 0.3;\n    if (l <= 1e-6) return;\n    y[i] = 0.4 * sin(l) / l;"),
    "soft": ("wrn", "double *y, const double *x, int n",  # two have one value each
             "__shared__ double m[8], s[8];\n    const double v = i < n ? x[i / 2] : -1e3;\n    m[i] = v;\n"
             "    __syncthreads();\n    " + MEET.format("m[i] = fmax(m[i], m[i + o])")
             + "\n    s[i] = exp(v - m[0]);\n    const double share = s[i];\n    __syncthreads();\n    "
             + MEET.format("s[i] += s[i + o]")
             + "\n    if (i < n) y[i] = share / s[0] + 0.1 * (m[0] + log(s[0]));"),
    "butterfly": ("wrn", "double *y, const double *x, int n",
                  "const double v = i < n ? x[i / 2] : -1e3;\n    double m = v;\n"
                  "    for (int o = 4; o > 0; o /= 2) m = fmax(m, __shfl_xor_sync(0xff, m, o, 8));\n"
                  "    double s = exp(v - m);\n"
                  "    for (int o = 4; o > 0; o /= 2) s += __shfl_xor_sync(0xff, s, o, 8);\n"
                  "    if (i < n) y[i] = exp(v - m) / s + 0.1 * (m + log(s));"),
    "one::step": ("wrn", "double *y, const double *x, int n",
                  "if (i >= n) return;\n    double v = x[i];\n    while (v < 0.5) v = v * v + 0.3;\n"
                  "    y[i] = 0.5 * v;"),
    "two::step": ("wrn", "double *y, const double *x, int n",
                  "if (i >= n) return;\n    double v = x[i];\n    while (v < 0.4) v = 0.5 * v + 0.35;\n"
                  "    y[i] = sin(v);"),
    "two::hidden": ("wran", "double *y, const double *x, double a, int n", "if (i < n) y[i] = a * half(x[i]);"),
    "one::hidden": ("wran", "double *y, const double *x, double a, int n", "if (i < n) y[i] = a - half(x[i]);"),
}
ONE_BLOCK = {"soft", "butterfly"}
HALVES = {"one": "0.5 * sin(v)", "two": "v / (2 + v * v)"}
OTHERS = """__global__ void spread(double *many, const double *x, int count, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = i; k < count; k += (int)(gridDim.x * blockDim.x)) many[k] = sin(x[k % n] * (1 + 0.002 * k));
}
__global__ void fold(double *y, const double *many, int count, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    double s = 0;
    for (int k = i; k < count; k += n) s += many[k] * many[count - 1 - k];
    y[i] = sin(s * n / count);
}
__global__ void count_up(int *all, int count) {
    const int i = (int)threadIdx.x;
    if (i < count) all[i] = i * 5 % 7;
}
"""
OF_POINTERS = """struct several@ {
    double *y, a;
    const double *x;
    const int *list[@];
};
__global__ void among@(several@ w, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    double s = 0;
    for (int k = 0; k < @; k++) s += (k + 1) * sin(w.x[(i + w.list[k][0]) % n]);
    w.y[i] = 0.01 * w.a * s;
}
"""


def kernel(name):
    _, parameters, text = KERNELS[name]
    space, _, short = name.rpartition("::")
    made = f"__global__ void {short}({parameters}) {{\n    {HERE}\n    {text}\n}}\n"
    if short == "hidden":  # with a helper of that name
        made = f"namespace {{\n__device__ double half(double v) {{ return {HALVES[space]}; }}\n}}\n" + made
    return f"namespace {space} {{\n{made}}}\n" if space else made


def library():
    return ("#include <vector>\nenum way { AHEAD, BACK = 3, BOTH };\n" + "".join(map(kernel, KERNELS)) + OTHERS
            + "".join(OF_POINTERS.replace("@", str(count)) for count in POINTERS))


class Wider:
    def learns(self):
        return self.p.seed >= LEARNT_FROM

    def wider_operands(self):
        return list(KERNELS) * 2 if self.learns() else []

    def wider_rows(self):
        return [(self.fetched, 2), (self.pointed, 2)] if self.learns() and not self.in_helper else []

    def way(self, scope):
        counted = [f"(way)({t} % 2 * 3)" for t in scope.counters]
        return self.pick(("AHEAD", "BACK", "BOTH", "(way)(mode % 5)", "mode > 1 ? AHEAD : BOTH", *counted))

    def fetched(self, scope):
        """Many numbers, to the host and perhaps back: their sum, or n sums."""
        found = self.operands(scope, "wr")
        if not found:
            return
        (to, source), written, read = found
        count, back = self.pick(SIZES), self.chance(0.5)
        many, held, s, k = self.fresh("many"), self.fresh("held"), self.fresh("s"), self.fresh("k")
        self.settle(scope)
        self.wait(scope, "0", written if back else [], read)
        size, every = f"{count} * sizeof(double)", f"for (int {k} = 0; {k} < {count}; {k}++)"
        listed = count > 256 or self.chance(0.3)
        at = f"{held}.data()" if listed else held
        self.add(scope, f"double *{many};\ncudaMalloc(&{many}, {size});\n"
                        f"spread<<<2, 64>>>({many}, {source}, {count}, n);\n"
                        + (f"std::vector<double> {held}({count});" if listed else f"double {held}[{count}];")
                        + f"\ncudaMemcpy({at}, {many}, {size}, cudaMemcpyDeviceToHost);")
        if back:
            self.add(scope, f"{every} {held}[{k}] *= 0.5 + 0.002 * {k};\n"
                            f"cudaMemcpy({many}, {at}, {size}, cudaMemcpyHostToDevice);\n"
                            f"fold<<<(n + 3) / 4, 4>>>({to}, {many}, {count}, n);\ncudaFree({many});")
            return
        self.add(scope, f"double {s} = 0;\n{every}\n"
                        f"    {s} += {0.3 / count:.6f} * ({k} * 7 % 11 + 1) * {held}[{k}];\ncudaFree({many});")
        scope.numbers.append(s)

    def pointed(self, scope):
        """A struct of many pointers and a number, perhaps a copy of it."""
        found = self.operands(scope, "wra")
        if not found:
            return
        (to, source, number), written, read = found
        count, every, w, k = self.pick(POINTERS), self.fresh("all"), self.fresh("w"), self.fresh("k")
        self.wait(scope, "0", written, read)
        self.add(scope, f"int *{every};\ncudaMalloc(&{every}, {count} * sizeof(int));\n"
                        f"count_up<<<1, 32>>>({every}, {count});\n"
                        f"several{count} {w};\n{w}.y = {to}, {w}.x = {source}, {w}.a = {number};\n"
                        f"for (int {k} = 0; {k} < {count}; {k}++) {w}.list[{k}] = {every} + {k};")
        if self.chance(0.5):
            copy = self.fresh("w")
            self.add(scope, f"several{count} {copy} = {w};")
            w = copy
        self.add(scope, f"among{count}<<<(n + 3) / 4, 4>>>({w}, n);\ncudaFree({every});")
