/*
 * Contraction of two three-dimensional tensors over one dimension of each, chosen at run time:
 *     C[i][j][l][m] = sum_k A[i][j][k] * B[k][l][m]     (for the last dimension of A and the first of B)
 * One thread computes one element of C. Its gradient is in tensor_contraction.grad.cuh, which Gradwright
 * writes: gwcc tensor_contraction.cu -o tensor_contraction, or gradwright tensor_contraction.cu and then nvcc.
 *
 * Options: --size N (extents about N, for the times), --repeats N.
 */
#include <gradwright/gradwright.h>

/* Extents of a tensor, row-major: the last dimension is the one that lies together. */
struct shape {
    int extent[3];
};

__device__ int stride(const shape &tensor, int dimension) {
    int step = 1;
    for (int d = 2; d > dimension; d--) step *= tensor.extent[d];
    return step;
}

/* First element of the fibre along `contracted` that belongs to `position`, a row-major index over the two
 * other dimensions, and the distance between the fibre's elements. */
__device__ void start_and_step(int &start, int &step, int position, const shape &tensor, int contracted) {
    int outer = contracted == 0 ? 1 : 0;
    int inner = contracted == 2 ? 1 : 2;
    int row = position / tensor.extent[inner];
    int column = position % tensor.extent[inner];
    start = row * stride(tensor, outer) + column * stride(tensor, inner);
    step = stride(tensor, contracted);
}

GW_GRADIENT("C wrt A, B")
__global__ void contract(float *C, const float *A, const float *B, shape a, shape b, int contracted_a,
                         int contracted_b, int count) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    int fibres_b = b.extent[0] * b.extent[1] * b.extent[2] / b.extent[contracted_b];
    int start_a, step_a, start_b, step_b;
    start_and_step(start_a, step_a, index / fibres_b, a, contracted_a);
    start_and_step(start_b, step_b, index % fibres_b, b, contracted_b);
    float sum = 0;
    for (int k = 0; k < a.extent[contracted_a]; k++) sum += A[start_a + k * step_a] * B[start_b + k * step_b];
    C[index] = sum;
}

#include "tensor_contraction.grad.cuh"

#include "../support/measure.cuh"

struct problem {
    shape a, b;
    int contracted_a, contracted_b;
    int elements(const shape &s) const { return s.extent[0] * s.extent[1] * s.extent[2]; }
    int fibres_a() const { return elements(a) / a.extent[contracted_a]; }
    int fibres_b() const { return elements(b) / b.extent[contracted_b]; }
    int count() const { return fibres_a() * fibres_b(); }
};

/* Extents near `size`, the contracted one the same in both. */
static problem make_problem(int size, int contracted_a, int contracted_b) {
    problem p = {{{size, size + 1, size + 2}}, {{size + 3, size - 1, size + 1}}, contracted_a, contracted_b};
    p.a.extent[contracted_a] = p.b.extent[contracted_b] = size;
    return p;
}

/* The sum over C of seed * C in double on the host, written with plain subscripts: an independent reference. */
static double weighted_sum(const problem &p, const std::vector<double> &A, const std::vector<double> &B,
                           const std::vector<float> &seed) {
    const int *ea = p.a.extent, *eb = p.b.extent;
    double sum = 0;
    size_t at = 0;
    int i[3], j[3];
    auto loop = [](int fixed, const int *extent, int *index, auto body) {
        int outer = fixed == 0 ? 1 : 0, inner = fixed == 2 ? 1 : 2;
        for (index[outer] = 0; index[outer] < extent[outer]; index[outer]++)
            for (index[inner] = 0; index[inner] < extent[inner]; index[inner]++) body();
    };
    loop(p.contracted_a, ea, i, [&] {
        loop(p.contracted_b, eb, j, [&] {
            double element = 0;
            for (int k = 0; k < ea[p.contracted_a]; k++) {
                i[p.contracted_a] = j[p.contracted_b] = k;
                element += A[(i[0] * ea[1] + i[1]) * ea[2] + i[2]] * B[(j[0] * eb[1] + j[1]) * eb[2] + j[2]];
            }
            sum += seed[at++] * element;
        });
    });
    return sum;
}

struct buffers {
    std::vector<float> A, B, seed;
    device_array<float> C, dA, dB, device_A, device_B, d_C, refill;
    buffers(const problem &p, numbers random)
        : A(random.array(p.elements(p.a), -1, 1)), B(random.array(p.elements(p.b), -1, 1)),
          seed(random.array(p.count(), 0.5, 1.5)), C(seed.size()), dA(A.size()), dB(B.size()), device_A(A),
          device_B(B), d_C(seed), refill(seed) {}
};

enum { block = 256 };
static dim3 grid_of(const problem &p) { return dim3((p.count() + block - 1) / block); }

static void primal(const problem &p, buffers &m) {
    contract<<<grid_of(p), block>>>(m.C, m.device_A, m.device_B, p.a, p.b, p.contracted_a, p.contracted_b,
                                    p.count());
}

static size_t workspace_bytes(const problem &p, buffers &m) {
    return contract_workspace_bytes(grid_of(p), block, m.C, m.device_A, m.device_B, p.a, p.b, p.contracted_a,
                                    p.contracted_b, p.count());
}

static void gradient(const problem &p, buffers &m, device_array<char> &workspace) {
    must(contract_grad_launch(grid_of(p), block, 0, 0, m.C, m.device_A, m.device_B, p.a, p.b, p.contracted_a,
                              p.contracted_b, p.count(), m.d_C, m.dA, m.dB, workspace, workspace.size()));
}

/* Central differences of `weighted_sum`, which is linear in each element, so that any step is exact. */
static std::vector<double> differences(const problem &p, const buffers &m, bool of_b) {
    std::vector<double> A(m.A.begin(), m.A.end()), B(m.B.begin(), m.B.end());
    std::vector<double> &varied = of_b ? B : A, result;
    for (double &x : varied) {
        double middle = x;
        x = middle + 0.5;
        double above = weighted_sum(p, A, B, m.seed);
        x = middle - 0.5;
        result.push_back(above - weighted_sum(p, A, B, m.seed));
        x = middle;
    }
    return result;
}

static std::vector<double> widened(const std::vector<float> &values) {
    return std::vector<double>(values.begin(), values.end());
}

static bool check_gradient() {
    double worst_a = 0, worst_b = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            problem p = make_problem(5, a, b);
            buffers m(p, numbers(1 + 3 * a + b));
            device_array<char> workspace(workspace_bytes(p, m));
            gradient(p, m, workspace);
            worst_a = std::max(worst_a, relative_error(widened(m.dA.get()), differences(p, m, false)));
            worst_b = std::max(worst_b, relative_error(widened(m.dB.get()), differences(p, m, true)));
        }
    bool holds_a = check("d_A against central differences in double, 9 layouts", worst_a, 1e-5);
    return check("d_B against central differences in double, 9 layouts", worst_b, 1e-5) && holds_a;
}

int main(int argc, char **argv) {
    bool holds = check_gradient();
    problem p = make_problem((int)option(argc, argv, "--size", on_cpu_device ? 12 : 33), 2, 0);
    int repeats = (int)option(argc, argv, "--repeats", 20);
    buffers m(p, numbers(100));
    device_array<char> workspace(workspace_bytes(p, m));
    double primal_ms = median_ms(repeats, [] {}, [&] { primal(p, m); });
    double gradient_ms = median_ms(repeats, [&] { m.d_C.set(m.refill); }, [&] { gradient(p, m, workspace); });
    print_times("tensor_contraction", p.count(), primal_ms, gradient_ms, (double)workspace_bytes(p, m));
    return holds ? 0 : 1;
}
