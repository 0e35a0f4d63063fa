"""Kernels that random programs launch. Values stay small: what is written is bounded, or added a few times.

KERNELS: name, operands, parameters, text. An operand is a letter for each parameter: w written in every cell,
m written and read (or written in some cells), r read, s a sum to which is added, j and i numbers of cells,
written and read, a a number, t an integer, n how many cells. Those in ONE_BLOCK meet in shared memory, those in
SAME_CELL may be given one pointer for what they write and what they read.
"""

HERE = "const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);"

KERNELS = {
    "map": ("wrn", "double *y, const double *x, int n", "if (i < n) y[i] = sin(x[i]) + 0.1 * x[i];"),
    "scale": ("wran", "double *y, const double *x, double a, int n",
              "if (i < n) y[i] = a * x[i] / (1 + x[i] * x[i]);"),
    "smooth": ("wrran", "double *v, const double *u, const double *k, double a, int n",
               "if (i >= n) return;\n"
               "    const double left = u[i > 0 ? i - 1 : i], right = u[i < n - 1 ? i + 1 : i];\n"
               "    v[i] = 0.9 * u[i] + 0.2 * a * sin(k[i]) * (left - 2 * u[i] + right);"),
    "decay": ("mran", "double *u, const double *k, double a, int n",
              "if (i < n) u[i] = u[i] / (1 + a * k[i] * k[i] * u[i] * u[i]);"),
    "couple": ("mmn", "double *u, double *v, int n",
               "if (i >= n) return;\n    const double p = u[i];\n    u[i] = 0.6 * p + 0.3 * sin(v[i]);\n"
               "    v[i] = 0.5 * v[i] - 0.4 * p * cos(v[i]);"),
    "parts": ("wwrn", "double *y, double *z, const double *x, int n",
              "if (i < n) y[i] = sin(x[i]), z[i] = cos(x[n - 1 - i]);"),
    "stamp": ("wwrn", "double *y, double *z, const double *x, int n",
              "if (i < n) y[i] = sin(x[i]), z[i] = 0.2;"),
    "evens": ("mrn", "double *y, const double *x, int n", "if (i < n && i % 2 == 0) y[i] = cos(x[i]);"),
    "mix": ("wrraan", "double *y, const double *x, const double *z, double a, double b, int n",
            "if (i < n) y[i] = 0.6 * a * sin(x[i] * z[i]) + 0.4 * b * z[(i + 1) % n];"),
    "product": ("wrrn", "double *y, const double *x, const double *z, int n",
                "if (i < n) y[i] = 0.5 * sin(x[i]) * z[i] + 0.4 * x[i];"),
    "more": ("mran", "double *y, const double *x, double a, int n", "if (i < n) y[i] += 0.1 * a * sin(x[i]);"),
    "gather": ("wrin", "double *y, const double *x, const int *index, int n",
               "if (i < n) y[i] = sin(x[index[i]]) * (1 + 0.1 * x[i]);"),
    "scatter": ("mrin", "double *y, const double *x, const int *index, int n",
                "if (i < n) atomicAdd(&y[index[i]], 0.2 * sin(x[i]));"),
    "renumber": ("jtn", "int *index, int t, int n", "if (i < n) index[i] = (i * 5 + t) % n;"),
    "renumber_by": ("jan", "int *index, double a, int n",
                    "if (i < n) index[i] = (i + (a > 0.5 ? 2 : 1)) % n;"),
    "renumber_more": ("jn", "int *index, int n", "if (i < n) index[i] = (index[i] + 1) % n;"),
    "total": ("srn", "double *sum, const double *x, int n", "if (i < n) atomicAdd(sum, 0.3 * x[i] * x[i]);"),
    "misfit": ("srrn", "double *sum, const double *x, const double *z, int n",
               "if (i < n) atomicAdd(sum, 0.2 * (x[i] - z[i]) * (x[i] - z[i]));"),
    "fill": ("wn", "double *y, int n", "if (i < n) y[i] = 0.25 + 0.1 * (i % 3);"),
    "fill_some": ("mtn", "double *y, int t, int n", "if (i < n && i % 3 == t % 3) y[i] = 0.5;"),
    "fill_with": ("wan", "double *y, double a, int n", "if (i < n) y[i] = a * (1 - 0.1 * i);"),
    "choose": ("wrrtn", "double *y, const double *x, const double *z, int t, int n",
               "if (i < n) y[i] = t % 2 ? sin(x[i]) : 0.7 * z[i];"),
    "reverse": ("wrn", "double *y, const double *x, int n",
                "__shared__ double kept[32];\n    if (i < n) kept[i] = sin(x[i]);\n    __syncthreads();\n"
                "    if (i < n) y[i] = kept[n - 1 - i] + 0.2 * x[i];"),
    "turn": ("mrn", "double *y, const double *x, int n",
             "extern __shared__ double held[];\n    if (i < n) held[i] = y[i];\n    __syncthreads();\n"
             "    if (i < n) y[i] = 0.8 * held[(i + 1) % n] * cos(x[i]);"),
    "sums": ("wrn", "double *y, const double *x, int n",
             "if (i != 0) return;\n    double sum = 0;\n    for (int k = 0; k < n; k++) {\n"
             "        sum = 0.7 * sum + sin(x[k]);\n        y[k] = 0.5 * sum;\n    }"),
    "times": ("mn", "double *u, int n", "if (i < n) u[i] *= 0.9;"),
}
ANY_ORDER = [name for name, (_, _, body, *_) in KERNELS.items() if "atomicAdd" in body]
SAME_CELL = {"map", "scale", "product", "choose", "decay", "more"}  # read and written at one index only
ONE_BLOCK = {"reverse", "turn", "sums"}
SHARED = {"turn": "n * sizeof(double)"}
TEMPLATE = ("template <int K> __global__ void powers(double *y, const double *x, int n) {\n    " + HERE + "\n"
            "    double p = 1;\n    for (int k = 0; k < K; k++)\n        p *= sin(x[i < n ? i : 0]);\n"
            "    if (i < n) y[i] = p;\n}\n")


FUNCTIONS = """[[maybe_unused]] static double rate(double a, int t) { return a / (1 + 0.2 * t * a); }
[[maybe_unused]] static double *made(int n) {
    double *p = nullptr;
    cudaMalloc(&p, n * sizeof(double));
    return p;
}
[[maybe_unused]] static void turn_over(double *&u, double *&v, double a, int n, cudaStream_t on) {
    scale<<<1, 8, 0, on>>>(v, u, a, n);
    std::swap(u, v);
}
template <class T> static void both(T *y, const T *x, int n, cudaStream_t on) {
    map<<<1, 8, 0, on>>>(y, x, n);
    times<<<2, 4, 0, on>>>(y, n);
}
[[maybe_unused]] static cudaError_t copied(double *to, const double *from, int n, cudaStream_t on) {
    const cudaError_t error = cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyDefault, on);
    if (error != cudaSuccess) return error;
    more<<<1, 8, 0, on>>>(to, from, 0.3, n);
    return cudaGetLastError();
}
"""


def library():
    parts = [f"__global__ void {name}({parameters}) {{\n    {HERE}\n    {text}\n}}\n"
             for name, (_, parameters, text) in KERNELS.items()]
    return "".join(parts) + TEMPLATE + (
        "struct fields {\n    double *now, *next;\n};\n" + FUNCTIONS)


OPERANDS = {**{name: row[0] for name, row in KERNELS.items()}, "powers<2>": "wrn", "powers<3>": "wrn"}


class OwnKernel:
    """One of a program's own: writes y, of x, perhaps of z, of what y was, of a number."""

    def __init__(self, random):
        reads = random.choice(("r", "rr"))
        self.modifies = random.random() < 0.4
        self.number, self.step = random.random() < 0.5, random.random() < 0.3
        self.operands = ("m" if self.modifies else "w") + reads + "a" * self.number + "t" * self.step + "n"
        names = ["x", "z"][:len(reads)]
        parameters = ["double *y"] + [f"const double *{name}" for name in names]
        parameters += ["double a"] * self.number + ["int t"] * self.step + ["int n"]
        self.parameters = ", ".join(parameters)
        self.text = self.body(random, names)

    def term(self, random, names):
        cell = random.choice(("i", "i", "(i + 1) % n", "n - 1 - i", "i / 2"))
        value = f"{random.choice(names)}[{cell}]"
        return random.choice((f"sin({value})", f"cos(0.7 * {value})", f"{value} / (1 + {value} * {value})",
                              f"exp(-{value} * {value})", f"tanh({value})"))

    def body(self, random, names):
        factor = random.choice(("0.5", "0.3", "0.6"))
        value = f"{factor} * {self.term(random, names)}"
        if random.random() < 0.6:
            value += f" {random.choice('+-*')} 0.4 * {self.term(random, names)}"
        if self.number:
            value = random.choice((f"a * ({value})", f"{value} + 0.2 * a", f"{value} - 0.1 * sin(a)"))
        if self.step:
            value = f"t % 2 ? {value} : 0.6 * {self.term(random, names)}"
        if not self.modifies:
            return f"if (i < n) y[i] = {value};"
        return random.choice((f"if (i < n) y[i] = 0.5 * y[i] + 0.5 * ({value});",
                              f"if (i < n && i % 2) y[i] = {value};",
                              f"if (i < n) y[i] *= {value};",
                              f"if (i < n) atomicAdd(&y[(i + 1) % n], 0.2 * ({value}));",
                              f"if (i < n) y[i] = 0.6 * sin(y[i]) + 0.3 * ({value});"))
