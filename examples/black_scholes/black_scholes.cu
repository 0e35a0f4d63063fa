/*
 * European options by the Black-Scholes formula, single precision and fast intrinsics, as people write it:
 * the normal distribution by the polynomial of Abramowitz and Stegun 26.2.17. The gradient of the prices with
 * respect to all five inputs is the Greeks. It is in black_scholes.grad.cuh, which Gradwright writes:
 * gwcc black_scholes.cu -o black_scholes, or gradwright black_scholes.cu and then nvcc.
 *
 * Options: --options N (for the times), --repeats N.
 */
#include <gradwright/gradwright.h>

__device__ float normal_cdf(float d) {
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    const float one_over_sqrt_2pi = 0.39894228f;
    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float tail =
        one_over_sqrt_2pi * __expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return d > 0 ? 1.0f - tail : tail;
}

__device__ void price_option(float &call, float &put, float price, float strike, float years, float rate,
                             float volatility) {
    float root = __fdividef(1.0f, rsqrtf(years));
    float spread = volatility * root;
    float d1 =
        __fdividef(__logf(__fdividef(price, strike)) + (rate + 0.5f * volatility * volatility) * years, spread);
    float d2 = d1 - spread;
    float cdf1 = normal_cdf(d1);
    float cdf2 = normal_cdf(d2);
    float discounted = strike * __expf(-rate * years);
    call = price * cdf1 - discounted * cdf2;
    put = discounted * (1.0f - cdf2) - price * (1.0f - cdf1);
}

GW_GRADIENT("call, put wrt price, strike, years, rate, volatility")
__global__ void black_scholes(float *call, float *put, const float *price, const float *strike,
                              const float *years, const float *rate, const float *volatility, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) price_option(call[i], put[i], price[i], strike[i], years[i], rate[i], volatility[i]);
}

#include "black_scholes.grad.cuh"

#include "../support/measure.cuh"

enum { price_of, strike_of, years_of, rate_of, volatility_of, inputs };
static const char *const input_names[inputs] = {"price", "strike", "years", "rate", "volatility"};
static const double ranges[inputs][2] = {{5, 30}, {10, 25}, {0.25, 5}, {0.01, 0.05}, {0.15, 0.45}};

struct prices {
    double call, put;
};

/* The kernel's maths in double: what central differences are taken of. */
static double polynomial_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * std::fabs(d));
    double tail =
        0.39894228040143267794 * std::exp(-0.5 * d * d) *
        (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    return d > 0 ? 1 - tail : tail;
}

static prices formula(const double *x) {
    double spread = x[volatility_of] * std::sqrt(x[years_of]);
    double growth = x[rate_of] + 0.5 * x[volatility_of] * x[volatility_of];
    double d1 = (std::log(x[price_of] / x[strike_of]) + growth * x[years_of]) / spread;
    double cdf1 = polynomial_cdf(d1), cdf2 = polynomial_cdf(d1 - spread);
    double discounted = x[strike_of] * std::exp(-x[rate_of] * x[years_of]);
    return {x[price_of] * cdf1 - discounted * cdf2, discounted * (1 - cdf2) - x[price_of] * (1 - cdf1)};
}

static void central_differences(const double *x, double *call, double *put) {
    for (int k = 0; k < inputs; k++) {
        double h = 1e-5 * x[k], above[inputs], below[inputs];
        std::copy(x, x + inputs, above);
        std::copy(x, x + inputs, below);
        above[k] += h;
        below[k] -= h;
        call[k] = (formula(above).call - formula(below).call) / (2 * h);
        put[k] = (formula(above).put - formula(below).put) / (2 * h);
    }
}

/* The textbook's Greeks, with the exact normal distribution. */
static void closed_form(const double *x, double *call, double *put) {
    auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    double root = std::sqrt(x[years_of]), spread = x[volatility_of] * root;
    double growth = x[rate_of] + 0.5 * x[volatility_of] * x[volatility_of];
    double d1 = (std::log(x[price_of] / x[strike_of]) + growth * x[years_of]) / spread, d2 = d1 - spread;
    double density = std::exp(-0.5 * d1 * d1) / std::sqrt(2 * std::acos(-1.0));
    double discount = std::exp(-x[rate_of] * x[years_of]), discounted = x[strike_of] * discount;
    double decay = x[price_of] * density * x[volatility_of] / (2 * root);
    call[price_of] = cdf(d1);
    put[price_of] = -cdf(-d1);
    call[strike_of] = -discount * cdf(d2);
    put[strike_of] = discount * cdf(-d2);
    call[years_of] = decay + x[rate_of] * discounted * cdf(d2);
    put[years_of] = decay - x[rate_of] * discounted * cdf(-d2);
    call[rate_of] = discounted * x[years_of] * cdf(d2);
    put[rate_of] = -discounted * x[years_of] * cdf(-d2);
    call[volatility_of] = put[volatility_of] = x[price_of] * density * root;
}

struct market {
    std::vector<float> x[inputs];
    device_array<float> call, put, d_call, d_put, ones;
    device_array<float> input[inputs], d_input[inputs];
    explicit market(size_t count, numbers random = numbers(5))
        : x{random.array(count, ranges[0][0], ranges[0][1]), random.array(count, ranges[1][0], ranges[1][1]),
            random.array(count, ranges[2][0], ranges[2][1]), random.array(count, ranges[3][0], ranges[3][1]),
            random.array(count, ranges[4][0], ranges[4][1])},
          call(count), put(count), d_call(count), d_put(count), ones(std::vector<float>(count, 1.0f)),
          input{device_array<float>(x[0]), device_array<float>(x[1]), device_array<float>(x[2]),
                device_array<float>(x[3]), device_array<float>(x[4])},
          d_input{device_array<float>(count), device_array<float>(count), device_array<float>(count),
                  device_array<float>(count), device_array<float>(count)} {}
    int count() const { return (int)x[0].size(); }
};

/* Single precision and fast intrinsics: volatility's derivative is a small difference of large terms. */
static const double tolerance = 1e-3;

enum { block = 256 };
static dim3 grid_of(const market &m) { return dim3((m.count() + block - 1) / block); }

static void primal(market &m) {
    black_scholes<<<grid_of(m), block>>>(m.call, m.put, m.input[0], m.input[1], m.input[2], m.input[3],
                                         m.input[4], m.count());
}

static size_t workspace_bytes(market &m) {
    return black_scholes_workspace_bytes(grid_of(m), block, m.call, m.put, m.input[0], m.input[1], m.input[2],
                                         m.input[3], m.input[4], m.count());
}

static void gradient(market &m, device_array<char> &workspace) {
    must(black_scholes_grad_launch(grid_of(m), block, 0, 0, m.call, m.put, m.input[0], m.input[1], m.input[2],
                                   m.input[3], m.input[4], m.count(), m.d_call, m.d_put, m.d_input[0],
                                   m.d_input[1], m.d_input[2], m.d_input[3], m.d_input[4], workspace,
                                   workspace.size()));
}

/* The Greeks of all calls (or puts): one sweep with the seed 1 for these prices and 0 for the others. */
static bool check_greeks(bool of_put) {
    market m(1000);
    device_array<char> workspace(workspace_bytes(m));
    (of_put ? m.d_put : m.d_call).set(m.ones);
    gradient(m, workspace);
    bool holds = true;
    std::vector<double> got[inputs], numeric[inputs], exact[inputs];
    for (int i = 0; i < m.count(); i++) {
        double x[inputs], call[2][inputs], put[2][inputs];
        for (int k = 0; k < inputs; k++) x[k] = m.x[k][i];
        central_differences(x, call[0], put[0]);
        closed_form(x, call[1], put[1]);
        for (int k = 0; k < inputs; k++) {
            numeric[k].push_back(of_put ? put[0][k] : call[0][k]);
            exact[k].push_back(of_put ? put[1][k] : call[1][k]);
        }
    }
    for (int k = 0; k < inputs; k++) {
        char what[96];
        std::vector<float> narrow = m.d_input[k].get();
        got[k].assign(narrow.begin(), narrow.end());
        const char *option = of_put ? "put" : "call";
        std::snprintf(what, sizeof what, "d %s/d %s against central differences in double", option,
                      input_names[k]);
        holds = check(what, relative_error(got[k], numeric[k]), tolerance) && holds;
        std::snprintf(what, sizeof what, "d %s/d %s against the closed form", option, input_names[k]);
        holds = check(what, relative_error(got[k], exact[k]), tolerance) && holds;
    }
    return holds;
}

int main(int argc, char **argv) {
    bool holds = check_greeks(false);
    holds = check_greeks(true) && holds;
    market m((size_t)option(argc, argv, "--options", on_cpu_device ? 20000 : 1 << 24));
    int repeats = (int)option(argc, argv, "--repeats", 20);
    device_array<char> workspace(workspace_bytes(m));
    auto refill = [&] {
        m.d_call.set(m.ones);
        m.d_put.set(m.ones);
    };
    double primal_ms = median_ms(repeats, [] {}, [&] { primal(m); });
    double gradient_ms = median_ms(repeats, refill, [&] { gradient(m, workspace); });
    print_times("black_scholes", m.count(), primal_ms, gradient_ms, (double)workspace_bytes(m));
    return holds ? 0 : 1;
}
