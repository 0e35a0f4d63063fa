"""What random programs from FOREIGN_FROM on have too, as programs of others do: buffers of the host's on the
heap, checks that end the process, kernels that overwrite what their reverse needs, graphs made by hand."""
FOREIGN_FROM = 90001

# As in launched.py. Their gradients are in halves.
KERNELS = {
    "churn": ("mn", "double *u, int n",
              "if (i < n) u[i] = sin(u[i]) + 0.2 * u[i];\n    __syncthreads();\n"
              "    const double next = i < n ? u[(i + 1) % n] : 0;\n    __syncthreads();\n"
              "    if (i < n) u[i] = 0.5 * u[i] * next + 0.4 * cos(next);"),
    "relax": ("mrn", "double *u, const double *x, int n",
              "for (int k = 0; k < 2; k++) {\n        const double next = i < n ? u[n - 1 - i] : 0;\n"
              "        __syncthreads();\n        if (i < n) u[i] = 0.6 * u[i] + 0.3 * sin(next * x[i]);\n"
              "        __syncthreads();\n    }"),
}
HERE = "const int i = (int)threadIdx.x;"
CHECKS = """#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#define TRY(call) \\
    do { \\
        const cudaError_t error_ = (call); \\
        if (error_ != cudaSuccess) { \\
            fprintf(stderr, "%s:%d: %s: %s\\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \\
            exit(EXIT_FAILURE); \\
        } \\
    } while (0)
"""
BUFFERS = (("double *{0} = (double *)malloc(({1}) * sizeof(double));", "{0}", "free({0});"),
           ("double *{0} = new double[{1}];", "{0}", "delete[] {0};"),
           ("std::unique_ptr<double[]> {0}(new double[{1}]);", "{0}.get()", ""),
           ("std::vector<double> {0}({1});", "{0}.data()", ""))


def library():
    return CHECKS + "".join(f"__global__ void {name}({parameters}) {{\n    {HERE}\n    {text}\n}}\n"
                            for name, (_, parameters, text) in KERNELS.items())


class Foreign:
    def is_foreign(self):
        return self.p.seed >= FOREIGN_FROM

    def foreign_operands(self):
        return list(KERNELS) * 3 if self.is_foreign() else []

    def foreign_rows(self):
        return [(self.heaped, 2), (self.graphed, 1.5)] if self.is_foreign() else []

    def heaped(self, scope):
        """By way of a buffer of the host's, in which the host computes."""
        found = self.operands(scope, "wra")
        if not found:
            return
        (to, source, number), written, read = found
        held, k, count = self.fresh("held"), self.fresh("k"), self.pick(("n", "n", "n - 1"))
        make, at, end = self.pick(BUFFERS)
        self.settle(scope)
        self.wait(scope, "0", written, read)
        at, size = at.format(held), f"({count}) * sizeof(double)"
        work = self.pick((f"{held}[{k}] *= 0.5 + 0.3 * {held}[{k}];",
                          f"{held}[{k}] = 0.6 * sin({held}[{k}]) + 0.2 * ({number});",
                          f"if ({k} > 0) {held}[{k}] = 0.5 * {held}[{k}] + 0.4 * {held}[{k} - 1];"))
        self.add(scope, f"{make.format(held, count)}\n"
                        f"TRY(cudaMemcpy({at}, {source}, {size}, cudaMemcpyDeviceToHost));\n"
                        f"for (int {k} = 0; {k} < {count}; {k}++) {work}\n"
                        f"TRY(cudaMemcpy({to}, {at}, {size}, cudaMemcpyHostToDevice));\n{end.format(held)}")

    def node(self, scope, graph, kernel, given, before):
        """Adds a launch of the kernel to the graph; what the node is called."""
        name, how, listed = self.fresh("node"), self.fresh("how"), self.fresh("given")
        texts = [f"{kind} {listed}_{k} = {text};" for k, (kind, text) in enumerate(given)]
        self.add(scope, "\n".join(texts) + f"\nvoid *{listed}[] = {{"
                 + ", ".join(f"(void *)&{listed}_{k}" for k in range(len(given))) + "};\n"
                 f"cudaKernelNodeParams {how} = {{}};\n{how}.func = (void *){kernel};\n"
                 f"{how}.gridDim = dim3(2), {how}.blockDim = dim3(4);\n{how}.kernelParams = {listed};\n"
                 f"cudaGraphNode_t {name};\nTRY(cudaGraphAddKernelNode(&{name}, {graph}, {before}, &{how}));")
        return name

    def graphed(self, scope):
        """A graph of two kernels, launched several times."""
        found = self.operands(scope, "mra")
        if not found:
            return
        (to, source, number), written, read = found
        graph, run, t, on = self.fresh("graph"), self.fresh("run"), self.fresh("t"), self.stream()
        self.wait(scope, on, written, read)
        self.add(scope, f"cudaGraph_t {graph};\ncudaGraphExec_t {run};\nTRY(cudaGraphCreate(&{graph}, 0));")
        first = self.node(scope, graph, "more", (("double *", to), ("const double *", source),
                                                 ("double", number), ("int", "n")), "nullptr, 0")
        if self.chance(0.6):
            self.node(scope, graph, "times", (("double *", to), ("int", "n")), f"&{first}, 1")
        times = self.pick(("2", "mode", "steps"))
        self.add(scope, f"TRY(cudaGraphInstantiate(&{run}, {graph}, nullptr, nullptr, 0));\n"
                        f"for (int {t} = 0; {t} < {times}; {t}++) TRY(cudaGraphLaunch({run}, {on}));\n"
                        f"TRY(cudaGraphExecDestroy({run}));\nTRY(cudaGraphDestroy({graph}));")
