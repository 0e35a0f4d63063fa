// GW_PACK: adjoints of several arrays through records. The same as without, joined and in halves, for element
// types and indices of each kind; what is in the records before does not matter, and the adjoints are added to.
#include "../support/expect.cuh"

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct pair_of {
    float low, high;
};

// What both kernels compute for thread i: splat j of several, in each lane another number of them.
#define BODY                                                                                                \
    int i = HERE;                                                                                           \
    if (i >= n) return;                                                                                     \
    float sum = 0;                                                                                          \
    for (int j = 0; j < 3 + i % 4; j++) {                                                                   \
        int id = ids[j];                                                                                    \
        float2 m = mean[id];                                                                                \
        if ((i + j) % 3 == 0) continue;                                                                     \
        const float *c = color + 3 * id;                                                                    \
        sum += m.x * c[0] + m.y * c[1] * c[2] * weight[id] + bound[id + 1].low * bound[id].high * m.x;      \
    }                                                                                                       \
    out[i] = sum * own[i];

GW_GRADIENT("out wrt mean, color, weight, bound, own")
__global__ void apart(float *out, const float2 *mean, const float *color, const float *weight,
                      const pair_of *bound, const float *own, const int *ids, int n){BODY}

GW_GRADIENT("out wrt mean, color, weight, bound, own")
    GW_SPLIT_GRADIENT("out wrt mean, color, weight, bound, own") GW_PACK(mean, color, weight, bound) __global__
    void packed(float *out, const float2 *mean, const float *color, const float *weight, const pair_of *bound,
                const float *own, const int *ids, int n){BODY}

// Indices of 64 bits, of which lanes have their own.
GW_GRADIENT("out wrt a, b") GW_PACK(a, b) __global__
    void of_lanes(float *out, const float *a, const float *b, const long long *ids, int n) {
    int i = HERE;
    if (i < n) out[i] = a[4 * ids[i] + 3] * a[4 * ids[i]] * b[2 * ids[i] + 1];
}

// Two elements of each array; of which none says how many floats an element has.
GW_GRADIENT("out wrt a, b") GW_PACK(a, b)
__global__ void edges(float *out, const float *a, const float *b, const int2 *ends, int n) {
    int i = HERE;
    if (i < n) out[i] = (a[ends[i].y] - a[ends[i].x]) * (b[ends[i].y] + b[ends[i].x]);
}

// A template: its instances have records as long as they need, and kernels of their own that unpack these.
#define OF_TYPES                                                                                              \
    int i = HERE;                                                                                              \
    T sum = 0;                                                                                                 \
    for (int j = 0; j < N; j++) {                                                                              \
        const int id = ids[(i + j) % 6];                                                                       \
        const P m = mean[id];                                                                                  \
        sum += m.x * weight[id] * weight[id] + m.y;                                                            \
    }                                                                                                          \
    if (i < n) out[i] = sum * sum
template <class T, class P, int N> GW_GRADIENT("out wrt mean, weight")
__global__ void types_apart(T *out, const P *mean, const T *weight, const int *ids, int n) { OF_TYPES; }
template <class T, class P, int N> GW_GRADIENT("out wrt mean, weight") GW_SPLIT_GRADIENT("out wrt mean, weight")
GW_PACK(mean, weight)
__global__ void types_packed(T *out, const P *mean, const T *weight, const int *ids, int n) { OF_TYPES; }

// Beside the records a tape, rows and copies: all that a launch can have around a kernel.
#define CROWD                                                                                               \
    int i = HERE;                                                                                           \
    if (i >= n) return;                                                                                     \
    float v = own[i];                                                                                       \
    for (int k = 0; k < steps; k++) v = v * v + gain[threadIdx.x] * v;                                      \
    out[i] = v * a[2 * ids[i]] * a[2 * ids[i] + 1] * b[ids[i]] * table[ids[i] % 4];

GW_GRADIENT("out wrt own, gain, a, b, table")
__global__ void alone(float *out, const float *own, const float *gain, const float *a, const float *b,
                      const float *table, const int *ids, int steps, int n){CROWD}

GW_GRADIENT("out wrt own, gain, a, b, table")
    GW_PACK(a, b) GW_ACCUMULATE(gain, copies) GW_ACCUMULATE(table, slots) __global__
    void crowded(float *out, const float *own, const float *gain, const float *a, const float *b,
                 const float *table, const int *ids, int steps, int n){CROWD}

#include "pack.grad.cuh"

enum { N = 90, COUNT = N, RECORDS = 9 };
typedef std::vector<float> numbers;

static numbers some(size_t n, int seed) {
    numbers made;
    for (size_t i = 0; i < n; i++) made.push_back(0.25f + 0.01f * (float)((i * 7 + (size_t)seed * 13) % 31));
    return made;
}

struct scene {
    check::array<float> out{numbers(N)}, mean{some(2 * RECORDS, 1)}, color{some(3 * RECORDS, 2)},
        weight{some(RECORDS, 3)}, bound{some(2 * RECORDS, 4)}, own{some(N, 5)};
    check::array<int> ids{std::vector<int>{4, 0, 7, 4, 2, 4}};
    check::array<float> d_out{some(N, 6)}, d_mean{some(2 * RECORDS, 7)}, d_color{some(3 * RECORDS, 8)},
        d_weight{some(RECORDS, 9)}, d_bound{some(2 * RECORDS, 10)}, d_own{some(N, 11)};
#define PRIMAL                                                                                                 \
    s.out.data(), (const float2 *)s.mean.data(), s.color.data(), s.weight.data(),                              \
        (const pair_of *)s.bound.data(), s.own.data(), s.ids.data(), N
#define ADJOINTS                                                                                               \
    s.d_out.data(), (float2 *)s.d_mean.data(), s.d_color.data(), s.d_weight.data(),                            \
        (pair_of *)s.d_bound.data(), s.d_own.data()
};

static void expect_same(check::trial &trial, const numbers &a, const numbers &b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); i++)
        most = std::fmax(most, std::fabs(a[i] - b[i]) / (1 + std::fabs(b[i])));
    EXPECT(most < 1e-5);
}

static void expect_same(check::trial &trial, const scene &got, const scene &want) {
    expect_same(trial, got.d_mean.get(), want.d_mean.get());
    expect_same(trial, got.d_color.get(), want.d_color.get());
    expect_same(trial, got.d_weight.get(), want.d_weight.get());
    expect_same(trial, got.d_bound.get(), want.d_bound.get());
    expect_same(trial, got.d_own.get(), want.d_own.get());
    expect_same(trial, got.d_out.get(), want.d_out.get());
}

static scene without_records(check::trial &trial, dim3 grid, dim3 block) {
    scene s;
    const numbers start = s.d_mean.get();
    EXPECT_STATUS((apart_grad_launch(grid, block, 0, 0, PRIMAL, ADJOINTS, nullptr, 0)), GW_OK);
    EXPECT(s.d_mean.get() != start);
    return s;
}

TEST(nine_and_more_floats_in_a_record) {
    // 2 + 3 + 1 + 2 floats are 8; a record is as long as a power of two.
    EXPECT(packed_grad_pack_bytes(1) == 8 * sizeof(float));
    EXPECT(packed_bwd_pack_bytes(RECORDS) == 8 * RECORDS * sizeof(float));
    EXPECT(of_lanes_grad_pack_bytes(3) == 8 * 3 * sizeof(float));
}

TEST(the_same_as_without) {
    for (unsigned threads : {1u, 31u, 45u, 96u}) {
        const dim3 grid((N + threads - 1) / threads), block(threads);
        scene s;
        check::array<float> pack{some(8 * RECORDS, 12)}; // what it holds does not matter
        for (int run = 0; run < 2; run++) {
            s.d_out.set(some(N, 6));
            if (run)
                s.d_mean.set(some(2 * RECORDS, 7)), s.d_color.set(some(3 * RECORDS, 8)),
                    s.d_weight.set(some(RECORDS, 9)), s.d_bound.set(some(2 * RECORDS, 10)),
                    s.d_own.set(some(N, 11));
            EXPECT_STATUS(
                (packed_grad_launch(grid, block, 0, 0, PRIMAL, ADJOINTS, pack.data(), RECORDS, nullptr, 0)),
                GW_OK);
            expect_same(trial, s, without_records(trial, grid, block));
        }
    }
}

TEST(the_second_half) {
    const dim3 grid(2), block(45);
    scene s;
    check::array<float> pack{numbers(8 * RECORDS)};
    check::device_bytes tape(packed_tape_bytes(grid, block, PRIMAL));
    EXPECT_STATUS((packed_fwd_launch(grid, block, 0, 0, PRIMAL, tape.data(), tape.size())), GW_OK);
    EXPECT_STATUS((packed_bwd_launch(grid, block, 0, 0, PRIMAL, ADJOINTS, pack.data(), RECORDS, tape.data(),
                                     tape.size())),
                  GW_OK);
    expect_same(trial, s, without_records(trial, grid, block));
}

template <class P, int N> static void of_types(check::trial &trial, size_t floats) {
    const dim3 grid(2), block(45);
    const size_t width = sizeof(P) / sizeof(float);
    const numbers start = some(width * RECORDS, 7);
    check::array<float> out{numbers(COUNT)}, mean{some(width * RECORDS, 1)}, weight{some(RECORDS, 3)},
        pack{some(floats * RECORDS, 4)};
    check::array<int> ids{std::vector<int>{4, 0, 7, 4, 2, 4}};
    std::vector<numbers> got[3];
#define TYPES_PRIMAL out.data(), (const P *)mean.data(), weight.data(), ids.data(), COUNT
#define TYPES_ADJOINTS d_out.data(), (P *)d_mean.data(), d_weight.data()
    EXPECT((types_packed_grad_pack_bytes<float, P, N>(2) == 2 * floats * sizeof(float)));
    EXPECT((types_packed_bwd_pack_bytes<float, P, N>(2) == 2 * floats * sizeof(float)));
    types_packed<float, P, N><<<grid, block>>>(TYPES_PRIMAL);
    types_apart<float, P, N><<<grid, block>>>(TYPES_PRIMAL);
    for (int form = 0; form < 3; form++) {
        check::array<float> d_out{some(COUNT, 5)}, d_mean{start}, d_weight{some(RECORDS, 6)};
        check::device_bytes tape(types_packed_tape_bytes<float, P, N>(grid, block, TYPES_PRIMAL));
        if (form == 0)
            EXPECT_STATUS((types_apart_grad_launch<float, P, N>(grid, block, 0, 0, TYPES_PRIMAL, TYPES_ADJOINTS,
                                                                nullptr, 0)),
                          GW_OK);
        if (form == 1)
            EXPECT_STATUS((types_packed_grad_launch<float, P, N>(grid, block, 0, 0, TYPES_PRIMAL,
                                                                 TYPES_ADJOINTS, pack.data(), RECORDS, nullptr,
                                                                 0)),
                          GW_OK);
        if (form == 2) {
            EXPECT_STATUS((types_packed_fwd_launch<float, P, N>(grid, block, 0, 0, TYPES_PRIMAL, tape.data(),
                                                                tape.size())),
                          GW_OK);
            EXPECT_STATUS((types_packed_bwd_launch<float, P, N>(grid, block, 0, 0, TYPES_PRIMAL, TYPES_ADJOINTS,
                                                                pack.data(), RECORDS, tape.data(),
                                                                tape.size())),
                          GW_OK);
        }
        got[form] = {d_mean.get(), d_weight.get(), d_out.get()};
        EXPECT(got[form][0] != start);
        for (size_t i = 0; i < got[0].size(); i++) expect_same(trial, got[form][i], got[0][i]);
    }
}

TEST(instances_of_a_template) {
    of_types<float2, 3>(trial, 4);
    of_types<float4, 2>(trial, 8);
}

TEST(elements_of_lanes) {
    enum { M = 40 };
    const numbers a = some(4 * M, 1), b = some(2 * M, 2);
    check::array<float> out{numbers(M)}, in_a{a}, in_b{b}, d_out{numbers(M, 1)}, d_a{numbers(4 * M)},
        d_b{numbers(2 * M)}, pack{numbers(8 * M)};
    std::vector<long long> list;
    for (int i = 0; i < M; i++) list.push_back((i * 3) % 8);
    check::array<long long> ids{list};
    EXPECT_STATUS(
        (of_lanes_grad_launch(dim3(2), dim3(32), 0, 0, out.data(), in_a.data(), in_b.data(), ids.data(), M,
                              d_out.data(), d_a.data(), d_b.data(), pack.data(), M, nullptr, 0)),
        GW_OK);
    numbers want_a(4 * M), want_b(2 * M);
    for (size_t i = 0; i < M; i++) {
        const size_t id = (size_t)list[i];
        want_a[4 * id] += a[4 * id + 3] * b[2 * id + 1];
        want_a[4 * id + 3] += a[4 * id] * b[2 * id + 1];
        want_b[2 * id + 1] += a[4 * id + 3] * a[4 * id];
    }
    expect_same(trial, d_a.get(), want_a);
    expect_same(trial, d_b.get(), want_b);
}

TEST(two_elements_of_each) {
    enum { M = 30, NODES = 11 };
    const numbers a = some(NODES, 3), b = some(NODES, 4);
    std::vector<int2> list;
    for (int i = 0; i < M; i++) list.push_back(make_int2(i * 5 % NODES, i * 7 % NODES));
    check::array<int2> ends{list};
    check::array<float> out{numbers(M)}, in_a{a}, in_b{b}, d_out{numbers(M, 1)}, d_a{numbers(NODES)},
        d_b{numbers(NODES)}, pack{numbers(4 * NODES)};
    EXPECT_STATUS((edges_grad_launch(dim3(1), dim3(32), 0, 0, out.data(), in_a.data(), in_b.data(), ends.data(),
                                     M, d_out.data(), d_a.data(), d_b.data(), pack.data(), NODES, nullptr, 0)),
                  GW_OK);
    numbers want_a(NODES), want_b(NODES);
    for (const int2 &at : list) {
        const size_t from = (size_t)at.x, to = (size_t)at.y;
        want_a[to] += b[to] + b[from], want_a[from] -= b[to] + b[from];
        want_b[to] += a[to] - a[from], want_b[from] += a[to] - a[from];
    }
    expect_same(trial, d_a.get(), want_a);
    expect_same(trial, d_b.get(), want_b);
}

TEST(with_all_other_tenants) {
    enum { STEPS = 3, LONGEST = 45 };
    std::vector<int> list;
    for (int i = 0; i < N; i++) list.push_back(i * 4 % RECORDS);
    check::array<int> ids{list};
    check::array<float> out{numbers(N)}, own{some(N, 1)}, gain{some(LONGEST, 2)}, a{some(2 * RECORDS, 3)},
        b{some(RECORDS, 4)}, table{some(4, 5)};
    const dim3 grid(2), block(LONGEST);
    std::vector<numbers> got[2];
    for (int crowd = 0; crowd < 2; crowd++) {
        check::array<float> d_out{numbers(N, 1)}, d_own{some(N, 6)}, d_gain{some(LONGEST, 7)},
            d_a{some(2 * RECORDS, 8)}, d_b{some(RECORDS, 9)}, d_table{some(4, 10)}, pack{some(4 * RECORDS, 11)};
#define CROWD_PRIMAL                                                                                           \
    out.data(), own.data(), gain.data(), a.data(), b.data(), table.data(), ids.data(), STEPS, N
#define CROWD_ADJOINTS d_out.data(), d_own.data(), d_gain.data(), d_a.data(), d_b.data(), d_table.data()
        check::device_bytes space(crowd ? crowded_workspace_bytes(grid, block, CROWD_PRIMAL)
                                        : alone_workspace_bytes(grid, block, CROWD_PRIMAL));
        if (crowd)
            EXPECT_STATUS((crowded_grad_launch(grid, block, 0, 0, CROWD_PRIMAL, CROWD_ADJOINTS, pack.data(),
                                               RECORDS, space.data(), space.size())),
                          GW_OK);
        else
            EXPECT_STATUS((alone_grad_launch(grid, block, 0, 0, CROWD_PRIMAL, CROWD_ADJOINTS, space.data(),
                                             space.size())),
                          GW_OK);
        got[crowd] = {d_own.get(), d_gain.get(), d_a.get(), d_b.get(), d_table.get(), d_out.get()};
    }
    const auto bytes = [&](dim3 blocks, dim3 threads, int steps) {
        return crowded_workspace_bytes(blocks, threads, out.data(), own.data(), gain.data(), a.data(), b.data(),
                                       table.data(), ids.data(), steps, N);
    };
    EXPECT(bytes(grid, block, STEPS) > bytes(grid, block, 0));              // a tape,
    EXPECT(bytes(grid, block, 0) > bytes(dim3(1), dim3(2 * LONGEST), 0));   // copies, of two blocks,
    EXPECT(bytes(dim3(1), dim3(2 * LONGEST), 0) >= 2 * LONGEST * 2 * sizeof(float)); // and rows
    EXPECT(got[1][1] != some(LONGEST, 7));
    for (size_t i = 0; i < got[0].size(); i++) expect_same(trial, got[1][i], got[0][i]);
}

TEST_MAIN
