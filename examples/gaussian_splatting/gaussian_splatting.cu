/*
 * gaussian_splatting.cu - the gradient of 3-D Gaussian splatting: a random scene is projected, binned and
 * blended, and a loss on the picture goes back to the splats' centres, conics, opacities and colours.
 *
 * With -DSPLATTING_PACKED the adjoints of a splat are summed up in one record (GW_PACK). With
 * -DSPLATTING_DETERMINISTIC and Gradwright's
 * --deterministic nothing is added by atomics: launches take the number of entries, and a workspace for rows.
 *
 * Options: --splats N, --width N, --height N, --repeats N. A small scene is checked against reference.h first.
 */
#include <gradwright/gradwright.h>

#include "splatting.cuh"

#include "gaussian_splatting.grad.cuh"

#include "../support/measure.cuh"
#include "reference.h"
#include "scene.cuh"

#ifdef SPLATTING_DETERMINISTIC
#include <gradwright/emitted/list_slots.cuh>
#endif

#ifdef SPLATTING_PACKED
#define RECORDS(p) , (p).records, (size_t)(p).v.splats
#else
#define RECORDS(p)
#endif
#ifdef SPLATTING_DETERMINISTIC
static const bool same_each_time = true;
#define ENTRIES(v) , (size_t)(v).entries
#define ROWS(p) , (p).rows, (p).rows.size()
#else
static const bool same_each_time = false;
#define ENTRIES(v)
#define ROWS(p)
#endif

/* A tape begins with a check value, also where nothing is stored behind it. */
enum { check_bytes = 256 };

/* ---- a picture and its adjoints ---- */
struct picture {
    const view &v;
    const float3 background = {0.3f, 0.2f, 0.6f};
    device_array<int> ids, last;
    device_array<float> out, final_T, seed, d_out, d_color;
    device_array<float2> d_mean;
    device_array<float4> d_conic;
    device_array<char> space, tape;
#ifdef SPLATTING_PACKED
    device_array<float> records{blend_bwd_pack_bytes((size_t)v.splats) / sizeof(float)};
#endif
#ifdef SPLATTING_DETERMINISTIC
    device_array<char> rows{blend_bwd_workspace_bytes(v.grid(), block(), nullptr, nullptr, nullptr, nullptr,
                                                      nullptr, nullptr, nullptr, nullptr,
                                                      // of the others less: they have fewer warps
                                                      background, v.cam.width, v.cam.height ENTRIES(v))};
#endif

    explicit picture(const view &of)
        : v(of), ids(of.sorted), last(of.pixels()), out(3 * of.pixels()), final_T(of.pixels()),
          seed(numbers(11).array(3 * of.pixels(), -1, 1)), d_out(3 * of.pixels()),
          d_color(3 * (size_t)of.splats), d_mean((size_t)of.splats), d_conic((size_t)of.splats),
          space(blend_workspace_bytes(of.grid(), block(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr, nullptr, background, of.cam.width, of.cam.height ENTRIES(of))),
          tape(blend_tape_bytes(of.grid(), block(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr, nullptr, background, of.cam.width, of.cam.height)) {}
    static dim3 block() { return dim3(tile, tile); }

    void clear() {
        d_out.set(seed);
        must(cudaMemset(d_mean, 0, d_mean.size() * sizeof(float2)));
        must(cudaMemset(d_conic, 0, d_conic.size() * sizeof(float4)));
        must(cudaMemset(d_color, 0, d_color.size() * sizeof(float)));
    }
    void primal() {
        blend<<<v.grid(), block()>>>(out, final_T, last, v.mean, v.conic, v.color, ids, v.ranges, background,
                                     v.cam.width, v.cam.height);
    }
    void joined() {
        must(blend_grad_launch(v.grid(), block(), 0, 0, out, final_T, last, v.mean, v.conic, v.color, ids,
                               v.ranges, background, v.cam.width, v.cam.height, d_out, d_mean, d_conic,
                               d_color RECORDS(*this) ENTRIES(v), space, space.size()));
    }
};

/* Halves of a split gradient: blend's own, or those in which a thread of the second does the work of several
 * pixels. */
#define HALVES(name)                                                                                           \
    struct name##_halves {                                                                                     \
        static void forward(picture &p) {                                                                      \
            must(name##_fwd_launch(p.v.grid(), p.block(), 0, 0, p.out, p.final_T, p.last, p.v.mean, p.v.conic, \
                                   p.v.color, p.ids, p.v.ranges, p.background, p.v.cam.width, p.v.cam.height,  \
                                   p.tape, p.tape.size()));                                                    \
        }                                                                                                      \
        static void backward(picture &p) {                                                                     \
            must(name##_bwd_launch(p.v.grid(), p.block(), 0, 0, p.out, p.final_T, p.last, p.v.mean, p.v.conic, \
                                   p.v.color, p.ids, p.v.ranges, p.background, p.v.cam.width, p.v.cam.height,  \
                                   p.d_out, p.d_mean, p.d_conic, p.d_color RECORDS(p) ENTRIES(p.v), p.tape,    \
                                   p.tape.size() ROWS(p)));                                                    \
        }                                                                                                      \
    };
HALVES(blend)
HALVES(by_two)
HALVES(by_four)

/* ---- checks ---- */
template <class T> static std::vector<double> flat(const device_array<T> &values) {
    const std::vector<T> host = values.get();
    const float *at = (const float *)host.data();
    return std::vector<double>(at, at + host.size() * sizeof(T) / sizeof(float));
}

/* |got - want| / |want|: one pair of a pixel and a splat that only one of the two takes for visible counts for
 * what it is. */
static double distance(const std::vector<double> &got, const std::vector<double> &want) {
    double apart = 0, length = 0;
    for (size_t i = 0; i < want.size(); i++)
        apart += (got[i] - want[i]) * (got[i] - want[i]), length += want[i] * want[i];
    return std::sqrt(apart / length);
}

static bool check_gradients(const char *form, const picture &p, const reference &r) {
    bool holds = true;
    char text[64];
    const struct {
        const char *name;
        std::vector<double> got;
        const std::vector<double> &want;
    } rows[] = {{"mean", flat(p.d_mean), r.d_mean},
                {"conic and opacity", flat(p.d_conic), r.d_conic},
                {"color", flat(p.d_color), r.d_color}};
    for (const auto &row : rows) {
        std::snprintf(text, sizeof text, "%s, gradient of %s", form, row.name);
        holds = check(text, distance(row.got, row.want), 1e-5) && holds;
    }
    return holds;
}

/* The gradients, one behind the other. */
static std::vector<double> gradients_of(const picture &p) {
    std::vector<double> all = flat(p.d_mean);
    for (const std::vector<double> &more : {flat(p.d_conic), flat(p.d_color)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

/* The bits are the same each time if additions have a fixed order. */
template <class W> static bool check_form(const char *form, picture &p, const reference &r, W work) {
    p.clear();
    work();
    bool holds = check_gradients(form, p, r);
    const std::vector<double> first = gradients_of(p);
    for (int run = 0; run < 2 && same_each_time; run++) {
        p.clear();
        work();
        const std::vector<double> again = gradients_of(p);
        double others = 0;
        for (size_t i = 0; i < first.size(); i++) others += first[i] != again[i];
        holds = check("numbers that differ in another run", others, 0) && holds;
    }
    return holds;
}

template <class H> static bool check_halves(const char *form, picture &p, const reference &r) {
    return check_form(form, p, r, [&] {
        H::forward(p);
        H::backward(p);
    });
}

static bool check_small(int splats, int width, int height) {
    view v(splats, {0.8f * (float)width, width, height});
    picture p(v);
    reference r = blend_reference(v.mean.get(), v.conic.get(), v.color.get(), v.sorted, v.ranges.get(),
                                  p.background, width, height, p.seed.get());
    p.clear();
    p.primal();
    must(cudaDeviceSynchronize());
    bool holds = check("picture", distance(flat(p.out), r.out), 1e-5);
    std::printf("%d entries, %.1f a tile, %.1f active lanes in a contributing warp\n", v.entries,
                (double)v.entries / (v.tiles_x * v.tiles_y), r.contributing / r.warps);
    holds = check_form("joined", p, r, [&] { p.joined(); }) && holds;
    holds = check_halves<blend_halves>("split", p, r) && holds;
    holds = check_halves<by_two_halves>("split, coarsened by 2", p, r) && holds;
    holds = check_halves<by_four_halves>("split, coarsened by 4", p, r) && holds;
    const double threads = (double)v.grid().x * v.grid().y * batch;
    std::printf("workspace of the joined form %zu bytes, tape of the split form %.3f bytes a thread\n",
                (size_t)p.space.size(), (double)(p.tape.size() - check_bytes) / threads);
    return holds && (same_each_time || p.space.size() == 0) && p.tape.size() == check_bytes;
}

#ifdef SPLATTING_DETERMINISTIC
/* What is done around the kernel whose last launch has left its rows: the workspace made ready, the keys of
 * positions found and put in order, and all of the sums. */
template <class H> static void measure_parts(const char *name, picture &p, dim3 own_block, int repeats) {
    gw_list_group<int32_t, float> group = gw_list_slots_of<int32_t, float>((size_t)p.v.entries, 9, own_block);
    size_t used = 0;
    double ready = median_ms(
        repeats, [] {}, [&] { used = 0, must(gw_slots_place("parts", &group, p.rows, &used, 0)); });
    H::backward(p);
    double find = median_ms(repeats, [] {}, [&] { must(gw_list_find(group, 0)); });
    double order = median_ms(repeats, [] {}, [&] { must(gw_list_order(group, 0)); });
    double sums = median_ms(
        repeats, [] {},
        [&] {
            must(gw_slots_sum(
                group, 0, gw_slot_column(&p.d_conic[0].x, &p.d_conic[1].x),
                gw_slot_column(&p.d_conic[0].y, &p.d_conic[1].y),
                gw_slot_column(&p.d_conic[0].z, &p.d_conic[1].z),
                gw_slot_column(&p.d_conic[0].w, &p.d_conic[1].w),
                gw_slot_column(&p.d_mean[0].x, &p.d_mean[1].x), gw_slot_column(&p.d_mean[0].y, &p.d_mean[1].y),
                gw_slot_column(&p.d_color[0], &p.d_color[3]), gw_slot_column(&p.d_color[1], &p.d_color[4]),
                gw_slot_column(&p.d_color[2], &p.d_color[5])));
        });
    std::printf(
        "%s: %.3f ms to make ready, %.3f ms for the sums, of which %.3f ms to find keys and %.3f ms to sort\n",
        name, ready, sums, find, order);
}
#endif

static void measure(int splats, int width, int height, int repeats) {
    view v(splats, {0.8f * (float)width, width, height});
    picture p(v);
    const double threads = (double)v.grid().x * v.grid().y * batch;
    std::printf("%d splats on %d x %d: %d entries, %.0f a tile\n", splats, width, height, v.entries,
                (double)v.entries / (v.tiles_x * v.tiles_y));
    double primal = median_ms(repeats, [&] { p.clear(); }, [&] { p.primal(); });
    double joined = median_ms(repeats, [&] { p.clear(); }, [&] { p.joined(); });
    double forward = median_ms(repeats, [&] { p.clear(); }, [&] { blend_halves::forward(p); });
    double backward = median_ms(repeats, [&] { p.clear(); }, [&] { blend_halves::backward(p); });
#ifdef SPLATTING_DETERMINISTIC
    measure_parts<blend_halves>("splatting_backward", p, p.block(), repeats);
#endif
    by_two_halves::forward(p);
    double by_two = median_ms(repeats, [&] { p.clear(); }, [&] { by_two_halves::backward(p); });
#ifdef SPLATTING_DETERMINISTIC
    measure_parts<by_two_halves>("splatting_backward_by_2", p, dim3(tile, tile / 2), repeats);
#endif
    by_four_halves::forward(p);
    double by_four = median_ms(repeats, [&] { p.clear(); }, [&] { by_four_halves::backward(p); });
    print_times("splatting_joined", threads, primal, joined, (double)p.space.size());
    print_times("splatting_forward", threads, primal, forward, (double)(p.tape.size() - check_bytes));
    print_times("splatting_backward", threads, primal, backward, (double)(p.tape.size() - check_bytes));
    print_times("splatting_backward_by_2", threads, primal, by_two, (double)(p.tape.size() - check_bytes));
    print_times("splatting_backward_by_4", threads, primal, by_four, (double)(p.tape.size() - check_bytes));
}

int main(int argc, char **argv) {
    const int width = (int)option(argc, argv, "--width", on_cpu_device ? 96 : 1920),
              height = (int)option(argc, argv, "--height", on_cpu_device ? 64 : 1080);
    const int splats = (int)option(argc, argv, "--splats", on_cpu_device ? 3000 : 1000000),
              repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    bool holds = check_small(3000, 96, 60);
    measure(splats, width, height, repeats);
    return holds ? 0 : 1;
}
