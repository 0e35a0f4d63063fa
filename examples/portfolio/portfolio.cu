/*
 * portfolio.cu - a book of European options with Thrust. Volatilities lie on a surface, a grid of strikes and
 * maturities. The gradient of the book's value is its risk: by the spot, the rate, and each number of the
 * surface. That of the misfit to quoted prices finds the surface.
 *
 * Options: --options N, --rounds N, --repeats N (0: no times); --out DIR for the loss over the rounds,
 * portfolio_loss.svg.
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

/* ---- a surface of volatilities ---- */
struct axis {
    float first, step;
    int count;
    float end() const { return first + step * (float)(count - 1); }
};
struct grid {
    axis strikes, years;
    size_t size() const { return (size_t)strikes.count * (size_t)years.count; }
};

/* The number of the grid before x, and how far behind it x lies: from 0 to 1. */
__host__ __device__ inline int before(axis a, float x, float &behind) {
    const float at = fminf(fmaxf((x - a.first) / a.step, 0.0f), (float)(a.count - 1));
    const int cell = at < (float)(a.count - 2) ? (int)at : a.count - 2;
    behind = at - (float)cell;
    return cell;
}

/* Bilinear in the grid, constant outside of it. */
__host__ __device__ inline float volatility(const float *surface, grid g, float strike, float years) {
    float u, v;
    const int column = before(g.strikes, strike, u), row = before(g.years, years, v);
    const float *at = surface + row * g.strikes.count + column;
    return (1 - v) * ((1 - u) * at[0] + u * at[1]) +
           v * ((1 - u) * at[g.strikes.count] + u * at[g.strikes.count + 1]);
}

/* ---- a call, by Black and Scholes ---- */
__host__ __device__ inline float call_price(float spot, float rate, float strike, float years, float sigma) {
    const float spread = sigma * sqrtf(years), discounted = strike * expf(-rate * years);
    const float d1 = logf(spot / discounted) / spread + 0.5f * spread, d2 = d1 - spread,
                root_half = 0.70710678f;
    return 0.5f * (spot * erfcf(-root_half * d1) - discounted * erfcf(-root_half * d2));
}

/* Functors for tuples of strike, years, and more. */
struct position_value {
    float spot, rate;
    const float *surface;
    grid g;
    template <class T> __host__ __device__ float operator()(const T &t) const {
        const float strike = thrust::get<0>(t), years = thrust::get<1>(t), amount = thrust::get<2>(t);
        return amount * call_price(spot, rate, strike, years, volatility(surface, g, strike, years));
    }
};
struct model_price {
    float spot, rate;
    const float *surface;
    grid g;
    template <class T> __host__ __device__ float operator()(const T &t) const {
        const float strike = thrust::get<0>(t), years = thrust::get<1>(t);
        return call_price(spot, rate, strike, years, volatility(surface, g, strike, years));
    }
};
struct squared_difference {
    __host__ __device__ double operator()(float a, float b) const { return (double)(a - b) * (a - b); }
};

/* What the options of a book are; amounts below 0 are sold. */
struct contracts {
    const float *strike, *years, *amount;
    int n;
};

GW_GRADIENT("value wrt spot, rate, surface")
void book_value(double *value, float spot, float rate, const float *surface, grid g, contracts c) {
    const auto first = thrust::make_zip_iterator(thrust::make_tuple(thrust::device_pointer_cast(c.strike),
                                                                    thrust::device_pointer_cast(c.years),
                                                                    thrust::device_pointer_cast(c.amount)));
    *value = thrust::transform_reduce(first, first + c.n, position_value{spot, rate, surface, g}, 0.0,
                                      thrust::plus<double>());
}

/* The mean square of what the model's prices differ from the quoted ones. */
GW_GRADIENT("loss wrt surface")
void misfit(double *loss, const float *surface, float spot, float rate, const float *quoted, grid g,
            contracts c) {
    const auto first = thrust::make_zip_iterator(
        thrust::make_tuple(thrust::device_pointer_cast(c.strike), thrust::device_pointer_cast(c.years)));
    thrust::device_vector<float> prices(c.n);
    thrust::transform(first, first + c.n, prices.begin(), model_price{spot, rate, surface, g});
    *loss = thrust::inner_product(prices.begin(), prices.end(), thrust::device_pointer_cast(quoted), 0.0,
                                  thrust::plus<double>(), squared_difference()) /
            c.n;
}

#include "portfolio.grad.cuh"

#include "../support/descent.h"
#include "../support/measure.cuh"
#include "../support/pictures.h"

static const float spot = 1, rate = 0.02f;
static const grid nodes = {{0.7f, 0.075f, 9}, {0.25f, 0.55f, 6}};

/* A smile, less of it for longer times. */
static std::vector<float> true_surface() {
    std::vector<float> all;
    for (int j = 0; j < nodes.years.count; j++)
        for (int i = 0; i < nodes.strikes.count; i++) {
            const float strike = nodes.strikes.first + nodes.strikes.step * (float)i,
                        years = nodes.years.first + nodes.years.step * (float)j, off = std::log(strike / spot);
            all.push_back(0.2f + (0.35f * off * off - 0.12f * off) / std::sqrt(years));
        }
    return all;
}

struct book {
    size_t count;
    std::vector<float> strike, years, amount;
    device_array<float> on_strike, on_years, on_amount;

    explicit book(size_t n, numbers random = numbers(11))
        : count(n), strike(random.array(n, nodes.strikes.first, nodes.strikes.end())),
          years(random.array(n, nodes.years.first, nodes.years.end())), amount(random.array(n, -1, 2)),
          on_strike(strike), on_years(years), on_amount(amount) {}
    contracts parameters() const { return {on_strike, on_years, on_amount, (int)count}; }
};

/* Numbers that the host reads too. */
class shared_number {
  public:
    shared_number() { must(cudaMallocManaged((void **)&at, sizeof *at)); }
    shared_number(const shared_number &) = delete;
    ~shared_number() { cudaFree(at); }
    operator double *() const { return at; }

  private:
    double *at = nullptr;
};

struct risk {
    double value = 0, delta = 0, rho = 0;
    std::vector<double> vega = std::vector<double>(nodes.size());
};

struct desk {
    gw_pool *pool = nullptr;
    shared_number out, d_out;
    device_array<float> surface, d_surface, quoted;

    explicit desk(size_t quotes) : surface(nodes.size()), d_surface(nodes.size()), quoted(quotes) {
        must(gw_pool_make(&pool));
    }
    ~desk() { gw_pool_free(pool); }

    void value_of(const book &b) { book_value(out, spot, rate, surface, nodes, b.parameters()); }
    void seed() {
        *d_out = 1;
        must(cudaMemset(d_surface, 0, nodes.size() * sizeof(float)));
    }
    void gradient_of_value(const book &b, float &d_spot, float &d_rate) {
        must(book_value_grad_in(pool, out, spot, rate, surface, nodes, b.parameters(), d_out, &d_spot, &d_rate,
                                d_surface));
    }
    void misfit_of(const book &b) { misfit(out, surface, spot, rate, quoted, nodes, b.parameters()); }
    void gradient_of_misfit(const book &b) {
        must(misfit_grad_in(pool, out, surface, spot, rate, quoted, nodes, b.parameters(), d_out, d_surface));
    }
    std::vector<float> slope() const {
        must(cudaDeviceSynchronize());
        return d_surface.get();
    }
};

/* ---- the textbook's formulas, in double ---- */
struct greeks {
    double price, delta, rho, vega;
};

static greeks closed_form(double strike, double years, double sigma) {
    const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    const double root = std::sqrt(years), discounted = strike * std::exp(-rate * years);
    const double d1 = std::log(spot / discounted) / (sigma * root) + 0.5 * sigma * root, d2 = d1 - sigma * root;
    const double density = std::exp(-0.5 * d1 * d1) / std::sqrt(2 * std::acos(-1.0));
    return {spot * normal(d1) - discounted * normal(d2), normal(d1), discounted * years * normal(d2),
            spot * density * root};
}

/* The corners of an option's cell, and how much of its volatility each is. */
struct corners {
    size_t at[4];
    double part[4], sigma = 0;
    corners(const std::vector<float> &surface, float strike, float years) {
        float u, v;
        const int column = before(nodes.strikes, strike, u), row = before(nodes.years, years, v);
        for (int k = 0; k < 4; k++) {
            at[k] = (size_t)((row + k / 2) * nodes.strikes.count + column + k % 2);
            part[k] = (k % 2 ? u : 1.0 - u) * (k / 2 ? v : 1.0 - v);
            sigma += part[k] * surface[at[k]];
        }
    }
};

static risk risk_by_formulas(const book &b, const std::vector<float> &surface) {
    risk all;
    for (size_t i = 0; i < b.count; i++) {
        const corners c(surface, b.strike[i], b.years[i]);
        const greeks g = closed_form(b.strike[i], b.years[i], c.sigma);
        all.value += b.amount[i] * g.price, all.delta += b.amount[i] * g.delta;
        all.rho += b.amount[i] * g.rho;
        for (int k = 0; k < 4; k++)
            all.vega[c.at[k]] += b.amount[i] * g.vega * c.part[k];
    }
    return all;
}

static std::vector<double> slope_by_formulas(const book &b, const std::vector<float> &surface,
                                             const std::vector<float> &quoted) {
    std::vector<double> slope(nodes.size());
    for (size_t i = 0; i < b.count; i++) {
        const corners c(surface, b.strike[i], b.years[i]);
        const greeks g = closed_form(b.strike[i], b.years[i], c.sigma);
        for (int k = 0; k < 4; k++)
            slope[c.at[k]] += 2 * (g.price - quoted[i]) * g.vega * c.part[k] / (double)b.count;
    }
    return slope;
}

static std::vector<float> quotes_of(const book &b, const std::vector<float> &surface) {
    std::vector<float> all;
    for (size_t i = 0; i < b.count; i++)
        all.push_back(call_price(spot, rate, b.strike[i], b.years[i],
                                 volatility(surface.data(), nodes, b.strike[i], b.years[i])));
    return all;
}

static std::vector<double> wide(const std::vector<float> &values) {
    return std::vector<double>(values.begin(), values.end());
}

static bool check_risk(const book &b) {
    const std::vector<float> surface = true_surface();
    desk d(0);
    d.surface.set(surface);
    d.seed();
    float delta = 0, rho = 0;
    d.gradient_of_value(b, delta, rho);
    const std::vector<float> vega = d.slope();
    const risk want = risk_by_formulas(b, surface);
    bool holds =
        check("the book's value against the closed form", relative_error({*d.out}, {want.value}), 1e-5);
    holds = check("delta against the closed form", relative_error({delta}, {want.delta}), 1e-4) && holds;
    holds = check("rho against the closed form", relative_error({rho}, {want.rho}), 1e-4) && holds;
    return check("vegas of the surface against the closed form", relative_error(wide(vega), want.vega), 1e-3) &&
           holds;
}

static double apart(const std::vector<float> &a, const std::vector<float> &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum / (double)a.size());
}

/* The surface that is found from the quotes, beginning with a flat one. */
static bool calibrate(const book &b, int rounds, const std::string &folder) {
    if (!rounds) return true;
    const std::vector<float> truth = true_surface(), quoted = quotes_of(b, truth);
    std::vector<float> now(nodes.size(), 0.25f);
    desk d(b.count);
    d.quoted.set(quoted);
    adam descent(now.size(), 0.01);
    std::vector<double> losses;
    size_t held = 0;
    bool holds = true;
    const double far = apart(now, truth);
    const progress line(rounds);
    for (int round = 0; round < rounds; round++) {
        d.surface.set(now);
        d.seed();
        d.gradient_of_misfit(b);
        const std::vector<float> slope = d.slope();
        losses.push_back(*d.out);
        if (round == 0) {
            held = gw_pool_held(d.pool);
            holds = check("misfit's gradient against the closed form",
                          relative_error(wide(slope), slope_by_formulas(b, now, quoted)), 1e-3);
        }
        descent.step(now, slope);
        line.tell(round, "loss %.3e, volatilities off the truth by %.5f", losses.back(), apart(now, truth));
    }
    if (!folder.empty() && !write_curve(folder + "/portfolio_loss.svg", "misfit over rounds", losses))
        std::fprintf(stderr, "%s/portfolio_loss.svg cannot be written\n", folder.c_str());
    holds = check("loss beside the first one", losses.back() / losses.front(), 1e-3) && holds;
    holds = check("surface, off the truth", apart(now, truth) / far, 0.1) && holds;
    return check("bytes allocated after the first round", (double)(gw_pool_held(d.pool) - held), 0) && holds;
}

static void measure(const book &b, int repeats) {
    desk d(b.count);
    d.surface.set(true_surface());
    float delta, rho;
    const double value = median_ms(
        repeats, [] {}, [&] { d.value_of(b); });
    const double risk = median_ms(
        repeats, [&] { d.seed(); }, [&] { d.gradient_of_value(b, delta, rho); });
    print_times("portfolio_value", (double)b.count, value, risk, (double)gw_pool_peak(d.pool));
    const double fit = median_ms(
        repeats, [] {}, [&] { d.misfit_of(b); });
    const double slope = median_ms(
        repeats, [&] { d.seed(); }, [&] { d.gradient_of_misfit(b); });
    print_times("portfolio_misfit", (double)b.count, fit, slope, (double)gw_pool_peak(d.pool));
}

int main(int argc, char **argv) {
    const book b((size_t)option(argc, argv, "--options", on_cpu_device ? 3000 : 10000000));
    bool holds = check_risk(b);
    holds = calibrate(b, (int)option(argc, argv, "--rounds", on_cpu_device ? 150 : 300),
                      text_option(argc, argv, "--out")) &&
            holds;
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 0 : 7);
    if (repeats) measure(b, repeats);
    return holds ? 0 : 1;
}
