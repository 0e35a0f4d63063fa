// Structs that hold pointers, pointers to pointers, pointers to arrays. Each kernel is checked against its flat
// form, which has the same cells as plain parameters; members that the request does not name are null in the
// adjoint structs, so an access of one would end the test.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct data {
    real *out;
    const real *grid, *poles;
    real scale;
    const int *index;
    int n;
};
struct layer {
    const real *weight;
    real bias;
};
struct network {
    const layer *layers;
    real *out;
    int depth;
};
struct table {
    const real *rows[3];
    real *out;
};
struct point {
    real x, y;
};
struct cloud {
    const point *at;
    point *moved;
};
CHECK_CELLS(point, CHECK_CELL(point, x), CHECK_CELL(point, y))

// ---- the bodies ----
__device__ real blend(const data &d, int i) {
    const real *near = d.grid + i;
    real value = near[0] * d.poles[i % 4];
    if (i + 1 < d.n) value += sin(near[1]) * d.poles[(i + 1) % 4];
    return value;
}
__device__ real walk(data d, int i, int count) {
    const real *at = d.grid;
    real sum = 0;
    for (int k = 0; k < count; k++) sum += *at++ * d.poles[(i + k) % 4];
    return sum;
}
__device__ real apply(const layer *l, int depth, real x, int i) {
    for (int k = 0; k < depth; k++) x = tanh(x * l[k].weight[i] + l[k].bias);
    return x;
}

// ---- by value ----
BOTH("d.out wrt d.grid, d.poles")
__global__ void by_value(data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = blend(d, i) * d.scale;
}
GW_DERIVATIVE("out wrt grid, poles")
__global__ void by_value_flat(real *out, const real *grid, const real *poles, int n) {
    int i = HERE;
    data d = {out, grid, poles, 0.7, nullptr, n};
    if (i < n) out[i] = blend(d, i) * 0.7;
}

GW_GRADIENT("d.out wrt d.grid, d.scale")
__global__ void with_a_number(data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = d.grid[d.index[i]] * d.scale * d.poles[i];
}
GW_DERIVATIVE("out wrt grid, scale")
__global__ void with_a_number_flat(real *out, const real *grid, real scale, const real *poles, const int *index,
                                   int n) {
    int i = HERE;
    if (i < n) out[i] = grid[index[i]] * scale * poles[i];
}

GW_GRADIENT("d.out wrt d.grid")
__global__ void walked(data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = walk(d, i, 5);
}
GW_DERIVATIVE("out wrt grid")
__global__ void walked_flat(real *out, const real *grid, const real *poles, int n) {
    int i = HERE;
    data d = {out, grid, poles, 0, nullptr, n};
    if (i < n) out[i] = walk(d, i, 5);
}

GW_GRADIENT("d.out wrt d.grid")
__global__ void in_place(data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = d.out[i] * d.grid[i] + d.out[i];
}
GW_DERIVATIVE("out wrt out, grid") __global__ void in_place_flat(real *out, const real *grid, int n) {
    int i = HERE;
    if (i < n) out[i] = out[i] * grid[i] + out[i];
}

GW_GRADIENT("c.moved wrt c.at")
__global__ void all_members(cloud c) {
    int i = HERE;
    point p = c.at[i];
    c.moved[i] = {p.y * p.y, p.x * p.y};
}
GW_DERIVATIVE("moved wrt at") __global__ void all_members_flat(point *moved, const point *at) {
    int i = HERE;
    moved[i] = {at[i].y * at[i].y, at[i].x * at[i].y};
}

// ---- by pointer, through several structs ----
BOTH("d.out wrt d.grid, d.poles")
__global__ void by_pointer(const data *d) {
    int i = HERE;
    if (i < d->n) d->out[i] = blend(*d, i) * d->scale;
}

GW_GRADIENT("net.out wrt net.layers.weight")
__global__ void nested(network net, real start) {
    int i = HERE;
    net.out[i] = apply(net.layers, net.depth, start, i);
}
GW_DERIVATIVE("out wrt first, second")
__global__ void nested_flat(real *out, const real *first, const real *second, real start) {
    int i = HERE;
    out[i] = tanh(tanh(start * first[i] + 0.25) * second[i] + 0.25);
}

GW_GRADIENT("t.out wrt t.rows")
__global__ void rows_in_a_struct(table t) {
    int i = HERE;
    real sum = 0;
    for (int k = 0; k < 3; k++) sum += t.rows[k][i] * (k + 1);
    t.out[i] = sum * t.rows[1][i];
}
GW_DERIVATIVE("out wrt rows") __global__ void rows_in_a_struct_flat(real *out, const real *rows, int n) {
    int i = HERE;
    real sum = 0;
    for (int k = 0; k < 3; k++) sum += rows[k * n + i] * (k + 1);
    out[i] = sum * rows[n + i];
}

// ---- pointers to pointers and to arrays ----
BOTH("y wrt rows")
__global__ void rows_of_numbers(real *y, const real *const *rows, int count) {
    int i = HERE;
    real sum = 0;
    for (int k = 0; k < count; k++) {
        const real *row = rows[k];
        sum += row[i] * row[0];
    }
    y[i] = sum;
}
GW_DERIVATIVE("y wrt rows") __global__ void rows_of_numbers_flat(real *y, const real *rows, int count, int n) {
    int i = HERE;
    real sum = 0;
    for (int k = 0; k < count; k++) sum += rows[k * n + i] * rows[k * n];
    y[i] = sum;
}

GW_GRADIENT("rows wrt x")
__global__ void written_rows(real **rows, const real *x) {
    int i = HERE;
    rows[i % 2][i / 2] = x[i] * x[i];
}
GW_DERIVATIVE("rows wrt x") __global__ void written_rows_flat(real *rows, const real *x, int n) {
    int i = HERE;
    rows[i % 2 * n + i / 2] = x[i] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void rows_of_three(real (*y)[3], const real (*x)[3]) {
    int i = HERE;
    for (int k = 0; k < 3; k++) y[i][k] = x[i][k] * x[i][(k + 1) % 3];
}
GW_DERIVATIVE("y wrt x") __global__ void rows_of_three_flat(real *y, const real *x) {
    int i = HERE;
    for (int k = 0; k < 3; k++) y[3 * i + k] = x[3 * i + k] * x[3 * i + (k + 1) % 3];
}

// ---- numbers seen as structs and as rows ----
BOTH("y wrt x")
__global__ void seen_as_points(real *y, const real *x, int n) {
    int i = HERE;
    const point p = reinterpret_cast<const point *>(x)[i];
    if (i < n) reinterpret_cast<point *>(y)[i] = {p.y * p.y, p.x * p.y};
}
BOTH("y wrt x")
__global__ void seen_as_rows(real *y, const real *x, int n) {
    int i = HERE;
    const real(*rows)[3] = (const real(*)[3])x;
    if (i < n) y[i] = rows[i][0] * rows[i][2] + rows[n - 1 - i][1];
}

// ---- pointers that lead to one of several arrays ----
BOTH("y wrt a, b")
__global__ void one_of_two(real *y, const real *a, const real *b, int n) {
    int i = HERE;
    const real *t = i % 2 ? a : b + 1;
    if (i < n) y[i] = t[i] * t[0];
}
BOTH("y, z wrt x")
__global__ void stored_to_one_of_two(real *y, real *z, const real *x, int n) {
    int i = HERE;
    real *out = i % 3 ? y : z;
    if (i < n) out[i] = x[i] * x[i];
}
// The same if again: what was stored there is read, squared, and stored over.
BOTH("y, z wrt x")
__global__ void updated_one_of_two(real *y, real *z, const real *x, int n) {
    int i = HERE;
    real *out = i % 3 ? y : z;
    if (i >= n) return;
    out[i] = x[i] * x[0];
    out[i] *= out[i];
    out[i] = out[i] * x[i] + out[i];
}
BOTH("y, z wrt x")
__global__ void updated_in_a_loop(real *y, real *z, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    for (int k = 0; k < 3; k++) {
        real *out = (i + k) % 3 ? y : z;
        real v = x[(i + k) % n];
        out[3 * i + k] = v * v;
        if (v > real(0.5)) out[3 * i + k] *= out[3 * i + k];
    }
}
BOTH("y wrt a, b")
__global__ void ping_pong(real *y, const real *a, const real *b, int count) {
    int i = HERE;
    const real *now = a, *next = b;
    real sum = 0;
    for (int k = 0; k < count; k++) {
        sum = sum * now[i] + next[k];
        const real *keep = now;
        now = next;
        next = keep;
    }
    y[i] = sum;
}
GW_GRADIENT("d.out wrt d.grid, d.poles")
__global__ void one_of_two_members(data d) {
    int i = HERE;
    const real *t = i % 2 ? d.grid : d.poles;
    if (i < d.n) d.out[i] = t[i] * t[0];
}
GW_DERIVATIVE("out wrt grid, poles")
__global__ void one_of_two_members_flat(real *out, const real *grid, const real *poles, int n) {
    int i = HERE;
    const real *t = i % 2 ? grid : poles;
    if (i < n) out[i] = t[i] * t[0];
}

// One cell in two spellings: no value is stale.
BOTH("x wrt x")
__global__ void row_and_place(real *x, int n, int p) {
    const int b = blockIdx.x;
    real *row = x + b * p;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const real v = row[i + 1];
        (x + 1 + i)[b * p] = sin(v);
    }
}

// Structs of pointers and arrays: each array is an object of its own, and copies have copies of it.
struct window {
    const real *at;
    real weight[3];
    int n;
};
struct two_windows {
    window a, b;
    real scale;
};
__device__ real sum_of(const window &w) {
    real s = 0;
    for (int k = 0; k < w.n; k++) s += w.at[k] * w.weight[k];
    return s;
}
__device__ real weighed(window w) {
    w.weight[1] *= 3;
    return sum_of(w);
}
__device__ window window_at(const real *x, real p) {
    window w = {x, {p, p * p, 1}, 3};
    return w;
}
BOTH("y wrt x, p")
__global__ void windows(real *y, const real *x, real p, int n) {
    window w = window_at(x + HERE, p), v = window_at(x, 2 * p);
    if (HERE % 2) w = v;
    if (HERE % 3 == 0) {
        w.at = x + 2;
        w.weight[0] = x[1];
    }
    real s = weighed(w);
    for (int i = 0; i < n; i++) {
        window t = w;
        t.weight[i % 3] *= x[i];
        w.weight[(i + 1) % 3] += 0.1 * t.weight[0] * p;
        s += sum_of(t);
        if (i == 1) v = t;
    }
    y[HERE] = s + sum_of(v) + sum_of(w);
}
BOTH("y wrt x, p")
__global__ void windows_in_structs(real *y, const real *x, real p, int n) {
    two_windows q = {{x, {1, p, 2}, 3}, {x + HERE, {p, p, p}, 2}, p}, r = q;
    window list[2] = {{x, {1, p, 2}, 3}, {x + 1, {p, 3, p}, 3}};
    r.b.weight[1] = x[0] * p;
    window *w = HERE % 2 ? &q.a : &r.b;
    w->weight[0] *= x[1];
    for (int i = 0; i < n; i++) list[i % 2].weight[i % 3] *= 1 + 0.1 * x[i] * p;
    y[HERE] = sum_of(q.a) + sum_of(q.b) * q.scale + sum_of(r.b) + sum_of(*w) + sum_of(list[HERE % 2]);
}

#include "pointers.grad.cuh"

// ---- from flat parameters to structs ----
template <class T> T *on_device(check::device_bytes &bytes, const T &value) {
    bytes.put(&value);
    return static_cast<T *>(bytes.data());
}
template <class T> struct rows {
    check::device_bytes bytes;
    rows(T *base, size_t count, size_t length) : bytes(count * sizeof(T *)) {
        std::vector<T *> all;
        for (size_t i = 0; i < count; i++) all.push_back(base + i * length);
        bytes.put(all.data());
    }
    T **data() { return static_cast<T **>(bytes.data()); }
};

#define CHECK_SHAPED_ROW(name, flat, gradient, forward, grid, block, ...)                                      \
    CHECK_ROW(case_##name, #name,                                                                              \
              check::run_row(t, gw_row_check,                                                                  \
                             check::row_of(check::kernel_of(flat), check::kernel_of(flat), 1e-8,               \
                                           check::launch(grid, block))                                         \
                                 .joined(check::function_of(+gradient), forward, {}),                          \
                             {__VA_ARGS__}))
#define CHECK_SHAPED_BOTH(name, flat, gradient, forward, grid, block, ...)                                     \
    CHECK_SHAPED_ROW(name, flat, gradient, check::function_of(+forward), grid, block, __VA_ARGS__)
#define CHECK_SHAPED(name, flat, gradient, grid, block, ...)                                                   \
    CHECK_SHAPED_ROW(name, flat, gradient, CHECK_NAMED(flat, _jvp_launch), grid, block, __VA_ARGS__)

static data flat_data(real *out, const real *grid, const real *poles, int n, real scale = 0,
                      const int *index = nullptr) {
    return {out, grid, poles, scale, index, n};
}

CHECK_SHAPED_BOTH(by_value, by_value_flat,
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                      int n, real *d_out, real *d_grid, real *d_poles, void *w, size_t bytes) {
                      return by_value_grad_launch(g, b, s, q, flat_data(out, grid, poles, n, 0.7),
                                                  flat_data(d_out, d_grid, d_poles, 0), w, bytes);
                  }),
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                      int n, real *t_out, real *t_grid, real *t_poles) {
                      return by_value_jvp_launch(g, b, s, q, flat_data(out, grid, poles, n, 0.7),
                                                 flat_data(t_out, t_grid, t_poles, 0));
                  }),
                  2, 32, out(50), in(50), in(4), 50)

CHECK_SHAPED(with_a_number, with_a_number_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, real scale,
                 const real *poles, const int *index, int n, real *d_out, real *d_grid, real *d_scale, void *w,
                 size_t bytes) {
                 device_bytes mirror(sizeof(data));
                 data *d = on_device(mirror, flat_data(d_out, d_grid, nullptr, 0));
                 device_bytes number(sizeof(real));
                 double value;
                 cudaMemcpy(&value, d_scale, sizeof value, cudaMemcpyDeviceToHost);
                 cudaMemcpy(&d->scale, &value, sizeof value, cudaMemcpyHostToDevice);
                 gw_status status = with_a_number_grad_launch(
                     g, b, s, q, flat_data(out, grid, poles, n, scale, index), d, w, bytes);
                 cudaMemcpy(&value, &d->scale, sizeof value, cudaMemcpyDeviceToHost);
                 cudaMemcpy(d_scale, &value, sizeof value, cudaMemcpyHostToDevice);
                 return status;
             }),
             2, 32, out(50), in(50), active(0.7), fixed(50), fixed(50, 0, 50), 50)

CHECK_SHAPED(walked, walked_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                 int n, real *d_out, real *d_grid, void *w, size_t bytes) {
                 return walked_grad_launch(g, b, s, q, flat_data(out, grid, poles, n),
                                           flat_data(d_out, d_grid, nullptr, 0), w, bytes);
             }),
             2, 32, out(50), in(5), fixed(4), 50)

CHECK_SHAPED(in_place, in_place_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, int n, real *d_out,
                 real *d_grid, void *w, size_t bytes) {
                 return in_place_grad_launch(g, b, s, q, flat_data(out, grid, nullptr, n),
                                             flat_data(d_out, d_grid, nullptr, 0), w, bytes);
             }),
             2, 32, inout(50), in(50), 50)

CHECK_SHAPED(all_members, all_members_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, point *moved, const point *at, point *d_moved,
                 point *d_at, void *w, size_t bytes) {
                 return all_members_grad_launch(g, b, s, q, cloud{at, moved}, cloud{d_at, d_moved}, w, bytes);
             }),
             2, 16, out(32), in(32))

CHECK_SHAPED_BOTH(by_pointer, by_value_flat,
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                      int n, real *d_out, real *d_grid, real *d_poles, void *w, size_t bytes) {
                      device_bytes primal(sizeof(data)), mirror(sizeof(data));
                      gw_status status = by_pointer_grad_launch(
                          g, b, s, q, on_device(primal, flat_data(out, grid, poles, n, 0.7)),
                          on_device(mirror, flat_data(d_out, d_grid, d_poles, 0)), w, bytes);
                      cudaDeviceSynchronize();
                      return status;
                  }),
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                      int n, real *t_out, real *t_grid, real *t_poles) {
                      device_bytes primal(sizeof(data)), mirror(sizeof(data));
                      gw_status status = by_pointer_jvp_launch(
                          g, b, s, q, on_device(primal, flat_data(out, grid, poles, n, 0.7)),
                          on_device(mirror, flat_data(t_out, t_grid, t_poles, 0)));
                      cudaDeviceSynchronize();
                      return status;
                  }),
                  2, 32, out(50), in(50), in(4), 50)

CHECK_SHAPED(nested, nested_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *first, const real *second,
                 real start, real *d_out, real *d_first, real *d_second, void *w, size_t bytes) {
                 layer l[2] = {{first, 0.25}, {second, 0.25}}, d_l[2] = {{d_first, 0}, {d_second, 0}};
                 device_bytes primal(sizeof l), mirror(sizeof l);
                 primal.put(l), mirror.put(d_l);
                 network net = {static_cast<layer *>(primal.data()), out, 2};
                 network d_net = {static_cast<layer *>(mirror.data()), d_out, 0};
                 device_bytes tape(nested_workspace_bytes(g, b, net, start));
                 (void)w, (void)bytes;
                 gw_status status = nested_grad_launch(g, b, s, q, net, start, d_net, tape.data(), tape.size());
                 cudaDeviceSynchronize();
                 return status;
             }),
             1, 32, out(32), in(32), in(32), 0.7)

CHECK_SHAPED(
    rows_in_a_struct, rows_in_a_struct_flat,
    ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *rows, int n, real *d_out, real *d_rows,
        void *w, size_t bytes) {
        table t = {{rows, rows + n, rows + 2 * n}, out}, d_t = {{d_rows, d_rows + n, d_rows + 2 * n}, d_out};
        return rows_in_a_struct_grad_launch(g, b, s, q, t, d_t, w, bytes);
    }),
    1, 32, out(32), in(96), 32)

CHECK_SHAPED_BOTH(rows_of_numbers, rows_of_numbers_flat,
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *y, const real *x, int count, int n,
                      real *d_y, real *d_x, void *w, size_t bytes) {
                      rows<const real> primal(x, (size_t)count, (size_t)n);
                      rows<real> mirror(d_x, (size_t)count, (size_t)n);
                      gw_status status = rows_of_numbers_grad_launch(g, b, s, q, y, primal.data(), count, d_y,
                                                                     mirror.data(), w, bytes);
                      cudaDeviceSynchronize();
                      return status;
                  }),
                  ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *y, const real *x, int count, int n,
                      real *t_y, real *t_x) {
                      rows<const real> primal(x, (size_t)count, (size_t)n);
                      rows<real> mirror(t_x, (size_t)count, (size_t)n);
                      gw_status status =
                          rows_of_numbers_jvp_launch(g, b, s, q, y, primal.data(), count, t_y, mirror.data());
                      cudaDeviceSynchronize();
                      return status;
                  }),
                  1, 32, out(32), in(96), 3, 32)

CHECK_SHAPED(written_rows, written_rows_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *y, const real *x, int n, real *d_y, real *d_x,
                 void *w, size_t bytes) {
                 rows<real> primal(y, 2, (size_t)n), mirror(d_y, 2, (size_t)n);
                 gw_status status =
                     written_rows_grad_launch(g, b, s, q, primal.data(), x, mirror.data(), d_x, w, bytes);
                 cudaDeviceSynchronize();
                 return status;
             }),
             2, 16, out(40), in(32), 20)

CHECK_SHAPED(rows_of_three, rows_of_three_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *y, const real *x, real *d_y, real *d_x,
                 void *w, size_t bytes) {
                 typedef real(*three)[3];
                 typedef const real(*three_const)[3];
                 return rows_of_three_grad_launch(g, b, s, q, (three)y, (three_const)x, (three)d_y, (three)d_x,
                                                  w, bytes);
             }),
             1, 32, out(96), in(96))
CHECK_KERNEL(row_and_place, 2, 8, inout(29), 13, 14)
CHECK_KERNEL(seen_as_points, 1, 32, out(64), in(64), 32)
CHECK_KERNEL(seen_as_rows, 2, 32, out(50), in(150), 50)
CHECK_KERNEL(one_of_two, 2, 32, out(50), in(50), in(51), 50)
CHECK_KERNEL(stored_to_one_of_two, 2, 32, out(50), out(50), in(50), 50)
CHECK_KERNEL(updated_one_of_two, 2, 32, out(50), out(50), in(50), 50)
CHECK_KERNEL(updated_in_a_loop, 2, 32, out(150), out(150), in(50), 50)
CHECK_KERNEL(ping_pong, 1, 32, out(32), in(32), in(32), 5)
CHECK_SHAPED(one_of_two_members, one_of_two_members_flat,
             ([](dim3 g, dim3 b, size_t s, cudaStream_t q, real *out, const real *grid, const real *poles,
                 int n, real *d_out, real *d_grid, real *d_poles, void *w, size_t bytes) {
                 return one_of_two_members_grad_launch(g, b, s, q, flat_data(out, grid, poles, n),
                                                       flat_data(d_out, d_grid, d_poles, 0), w, bytes);
             }),
             2, 32, out(50), in(50), in(50), 50)
CHECK_KERNEL(windows, 2, 8, out(16), in(24), active(0.7), 5)
CHECK_KERNEL(windows_in_structs, 2, 8, out(16), in(24), active(0.7), 5)
TEST_MAIN
