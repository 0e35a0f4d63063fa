// What checks the tests' rows finds what is wrong: derivatives by hand, one fault at a time. Each has to be
// said, and what has none to pass.
#include "../support/check.cuh"

typedef double real;

enum fault {
    NONE,
    ADJOINT,         // of an input, by a ten thousandth
    KEPT,            // an overwritten output's adjoint stays
    NOTHING,         // an input is given nothing
    PRIMAL,          // an input is written
    OTHER_LAUNCH,    // the second launch gives other adjoints
    STATUS,          // it does not run, and says so
    DEVICE,          // it does not run, and the device says so
    TANGENT,         // of the output
    NO_TANGENT,      // of anything
    VALUE,           // forward mode computes another value
    BOTH_WAYS,       // adjoint and tangent agree, and are wrong
    FIRST_HALF,      // it does another thing than the primal
    OUTPUT_READ,     // the second half reads an output, which is overwritten by then
    TAPE_TAKEN,      // one that is too small
    ADJOINT_OF_TAPE, // without a tape, an adjoint is written
    SECOND_ADJOINT,  // beside a second derivative
    SECOND,          // the second derivative itself
    LANE             // one of several directions
};
static fault planted;

__global__ void cubed(real *y, const real *x, real k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = k * x[i] * x[i] * x[i];
}
__global__ void cubed_grad(real *y, real *x, real k, int n, real *d_y, real *d_x, real *d_k, fault f,
                           bool again) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real factor = 3;
    if (f == ADJOINT) factor = 3.0003;
    if (f == BOTH_WAYS) factor = 3.3;
    if (f == OTHER_LAUNCH && again) factor = 3.1;
    if (f == OUTPUT_READ) factor = y[i] > 0 ? 3 : 2;
    if (f != NOTHING) d_x[i] += factor * k * x[i] * x[i] * d_y[i];
    atomicAdd(d_k, x[i] * x[i] * x[i] * d_y[i]);
    if (f != KEPT) d_y[i] = 0;
    if (f == PRIMAL) x[i] += 1;
}
__global__ void cubed_jvp(real *y, const real *x, real k, int n, real *t_y, const real *t_x, real t_k,
                          fault f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real factor = f == BOTH_WAYS ? 3.3 : 3;
    y[i] = k * x[i] * x[i] * x[i] * (f == VALUE ? 1.001 : 1);
    t_y[i] = factor * k * x[i] * x[i] * t_x[i] + t_k * x[i] * x[i] * x[i] + (f == TANGENT ? 1e-3 : 0);
    if (f == NO_TANGENT) t_y[i] = 0;
}
__global__ void cubed_jvps(real *y, const real *x, real k, int n, real (*t_y)[4], const real (*t_x)[4],
                           const real *t_k, fault f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int lane = 0; i < n && lane < 4; lane++) {
        t_y[i][lane] = 3 * k * x[i] * x[i] * t_x[i][lane] + t_k[lane] * x[i] * x[i] * x[i];
        if (f == LANE && lane == 2) t_y[i][lane] += 1e-3;
        if (f == NO_TANGENT) t_y[i][lane] = 0;
    }
    if (i < n) y[i] = k * x[i] * x[i] * x[i];
}
__global__ void cubed_hvp(const real *x, real k, int n, const real *t_x, real t_k, real *d_y, real *d_x,
                          real *d_k, real *td_y, real *td_x, real *td_k, fault f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real d = d_y[i], td = td_y[i];
    d_x[i] += 3 * k * x[i] * x[i] * d * (f == SECOND_ADJOINT ? 1.001 : 1);
    td_x[i] += 6 * k * x[i] * t_x[i] * d * (f == SECOND ? 1.001 : 1) + 3 * x[i] * x[i] * (t_k * d + k * td);
    atomicAdd(d_k, x[i] * x[i] * x[i] * d);
    atomicAdd(td_k, 3 * x[i] * x[i] * t_x[i] * d + x[i] * x[i] * x[i] * td);
    d_y[i] = td_y[i] = 0;
}

static int launches;
static gw_status cubed_grad_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *y, const real *x, real k,
                                   int n, real *d_y, real *d_x, real *d_k, void *, size_t) {
    if (planted == STATUS) return gw_report(GW_ERROR_ARGUMENT, "planted");
    if (planted == DEVICE) block.x = 1 << 20;
    cubed_grad<<<grid, block>>>(y, (real *)x, k, n, d_y, d_x, d_k, planted == OUTPUT_READ ? NONE : planted,
                                launches++ % 2);
    return GW_OK;
}
static gw_status cubed_jvp_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *y, const real *x, real k,
                                  int n, real *t_y, const real *t_x, real t_k) {
    cubed_jvp<<<grid, block>>>(y, x, k, n, t_y, t_x, t_k, planted);
    return GW_OK;
}
static size_t cubed_workspace_bytes(dim3, dim3, real *, const real *, real, int) { return 0; }

enum { TAPE = 64 };
static size_t cubed_tape_bytes(dim3, dim3, real *, const real *, real, int) { return TAPE; }
static gw_status cubed_fwd_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *y, const real *x, real k,
                                  int n, void *, size_t bytes) {
    if (bytes < TAPE && planted != TAPE_TAKEN) return gw_report(GW_ERROR_OVERFLOW, "planted");
    cubed<<<grid, block>>>(y, x, planted == FIRST_HALF ? k * 1.001 : k, n);
    return GW_OK;
}
static gw_status cubed_bwd_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *y, const real *x, real k,
                                  int n, real *d_y, real *d_x, real *d_k, void *, size_t bytes) {
    if (bytes >= TAPE || planted == ADJOINT_OF_TAPE)
        cubed_grad<<<grid, block>>>(y, (real *)x, k, n, d_y, d_x, d_k, planted, false);
    return bytes < TAPE ? gw_report(GW_ERROR_OVERFLOW, "planted") : GW_OK;
}
static gw_status cubed_jvps_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *y, const real *x, real k,
                                   int n, real (*t_y)[4], const real (*t_x)[4], const real *t_k) {
    cubed_jvps<<<grid, block>>>(y, x, k, n, t_y, t_x, t_k, planted);
    return GW_OK;
}
static size_t cubed_hvp_workspace_bytes(dim3, dim3, real *, const real *, real, int, const real *, const real *,
                                        real) {
    return 0;
}
static gw_status cubed_hvp_launch(dim3 grid, dim3 block, size_t, cudaStream_t, real *, const real *x, real k,
                                  int n, const real *, const real *t_x, real t_k, real *d_y, real *d_x,
                                  real *d_k, real *td_y, real *td_x, real *td_k, void *, size_t) {
    cubed_hvp<<<grid, block>>>(x, k, n, t_x, t_k, d_y, d_x, d_k, td_y, td_x, td_k, planted);
    return GW_OK;
}

#ifndef __CUDA_ARCH__
static std::string said; // all that is wrong
static std::string check_of(check::row_check *check, bool quick, std::initializer_list<check::role> roles) {
    using namespace check;
    gw_row row = CHECK_ROW_JOINED(cubed, cubed, 1e-8, check::launch(2, 8))
                     .halves(CHECK_NAMED(cubed, _fwd_launch), CHECK_NAMED(cubed, _bwd_launch),
                             CHECK_NAMED(cubed, _tape_bytes))
                     .seconds(CHECK_NAMED(cubed, _hvp_launch), CHECK_NAMED(cubed, _hvp_workspace_bytes))
                     .several(CHECK_NAMED(cubed, _jvps_launch));
    gw_row_test test = {};
    test.fail = [](void *, const char *why) { said += std::string(why) + '\n'; };
    test.report = [](void *, const char *, double) {};
    test.note = [](void *, const char *) {};
    test.is_quick = quick, test.orders_threads = true;
    const std::vector<gw_row_role> all(roles.begin(), roles.end());
    row.roles = all.data(), row.count = all.size();
    said.clear();
    check(&row, &test);
    return said;
}
static std::string check_with(fault f, check::row_check *check, bool quick = false) {
    using namespace check;
    planted = f, launches = 0;
    return check_of(check, quick, {out(14), in(14), active(0.7), 13});
}
static bool has(const std::string &all, const char *words) { return all.find(words) != std::string::npos; }

TEST(what_is_right_passes) {
    for (check::row_check *check :
         {gw_row_check, gw_row_check_halves, gw_row_check_second, gw_row_check_directions})
        EXPECT(check_with(NONE, check).empty() && check_with(NONE, check, true).empty());
}
TEST(wrong_gradients_are_found) {
    for (bool quick : {false, true}) {
        for (fault f : {ADJOINT, KEPT, NOTHING, TANGENT})
            EXPECT(has(check_with(f, gw_row_check, quick), "forward mode says"));
        EXPECT(has(check_with(NOTHING, gw_row_check, quick), "no gradient in parameter 1"));
        EXPECT(has(check_with(PRIMAL, gw_row_check, quick), "changed the primal's parameter 1"));
        EXPECT(has(check_with(OTHER_LAUNCH, gw_row_check, quick), "adjoint of parameter 1, cell 0"));
        EXPECT(has(check_with(STATUS, gw_row_check, quick), "planted"));
        EXPECT(has(check_with(DEVICE, gw_row_check, quick), "CUDA: "));
        EXPECT(has(check_with(VALUE, gw_row_check, quick), "value 0 of the named parameters"));
    }
}
TEST(differences_find_it_too) {
    EXPECT(has(check_with(ADJOINT, gw_row_check), "adjoint of parameter 1, cell 0"));
    EXPECT(has(check_with(KEPT, gw_row_check), "adjoint of parameter 0, cell 0"));
    EXPECT(has(check_with(TANGENT, gw_row_check), "tangent 0 of the named parameters"));
    EXPECT(has(check_with(BOTH_WAYS, gw_row_check), "adjoint of parameter 1, cell 0"));
    EXPECT(has(check_with(BOTH_WAYS, gw_row_check), "tangent 0 of the named parameters"));
}
TEST(wrong_halves_are_found) {
    EXPECT(has(check_with(FIRST_HALF, gw_row_check_halves), "value 0 of the named parameters"));
    const bool in_order = !std::getenv("GW_CPU_SEED");
    EXPECT(has(check_with(FIRST_HALF, gw_row_check_halves), "the first half does not do what") == in_order);
    EXPECT(has(check_with(OUTPUT_READ, gw_row_check_halves), "adjoint of parameter 1, cell 0"));
    EXPECT(has(check_with(TAPE_TAKEN, gw_row_check_halves), "a tape that is too small is taken"));
    EXPECT(has(check_with(ADJOINT_OF_TAPE, gw_row_check_halves), "without a tape, an adjoint was changed"));
}
TEST(wrong_second_derivatives_and_directions_are_found) {
    EXPECT(has(check_with(SECOND_ADJOINT, gw_row_check_second), "adjoint of parameter 1, cell 0"));
    EXPECT(has(check_with(SECOND, gw_row_check_second), "adjoint of parameter 1, cell 0"));
    EXPECT(has(check_with(LANE, gw_row_check_directions), "tangent 0 of the named parameters"));
    EXPECT(has(check_with(NO_TANGENT, gw_row_check_directions), "no tangent in any"));
}
TEST(a_row_that_does_not_go_with_its_kernel_is_found) {
    using namespace check;
    planted = NONE;
    EXPECT(has(check_of(gw_row_check, true, {out(14), in(14), active(0.7)}), "3 roles for 4 parameters"));
    EXPECT(has(check_of(gw_row_check, true, {out(14), given(std::vector<float>(14)), active(0.7), 13}),
               "argument 1 is of another type"));
    EXPECT(has(check_of(gw_row_check, true, {out(14), in(14), in(14), 13}), "argument 2 is an array"));
    EXPECT(has(check_of(gw_row_check, true, {out(14), in(14), 0.7, 13}), "and not the"));
}
#endif
TEST_MAIN
