/*
 * multipole_lookup.cuh - macroscopic cross sections by the windowed multipole method, the kernel of neutron
 * transport proxies (Tramm, Siegel, Forget, Josey 2014): each lookup draws an energy and a material; for each
 * nuclide of the material it adds, over the poles of the energy's window, residues times the Faddeeva function
 * of the Doppler broadened distance to the pole, on top of the window's background. All lookups share poles and
 * windows.
 *
 * w(z) for |z| < 6 is the Fourier expansion of Abrarov and Quine (2011) with tau = 12 and ten terms, beyond
 * that the Gauss-Hermite quadrature with four nodes.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include "lookup_samples.cuh"

struct complex_number {
    real re, im;
};
static __device__ inline complex_number make_complex(real re, real im) { return {re, im}; }
static __device__ inline complex_number operator+(complex_number a, complex_number b) {
    return {a.re + b.re, a.im + b.im};
}
static __device__ inline complex_number operator-(complex_number a, complex_number b) {
    return {a.re - b.re, a.im - b.im};
}
static __device__ inline complex_number operator*(complex_number a, complex_number b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static __device__ inline complex_number operator*(real a, complex_number b) { return {a * b.re, a * b.im}; }
static __device__ inline complex_number operator/(complex_number a, complex_number b) {
    real square = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

struct pole {
    complex_number position, total, absorption, fission; /* position, and residues */
    int angular_momentum;
};

struct pole_window {
    real total, absorption, fission; /* background */
    int first, last;                 /* poles */
};

struct multipole_sizes {
    int most_poles, most_windows, most_nuclides; /* row lengths of poles, windows and the material tables */
    int momenta;                                 /* at most 4 */
    real doppler;
};

static __device__ inline complex_number faddeeva_near(complex_number z) {
    constexpr double a[10] = {0.27584023329217705,  0.22457395522461585,   0.1594149382739117,
                              0.0986657664154542,   0.053244140787639394,  0.02505215000539371,
                              0.01027746567053954,  0.0036761643328448498, 0.001146493641242233,
                              0.0003117570150461973};
    const real tau = 12, pi = (real)3.14159265358979323846, root_pi = (real)1.77245385090551602730;
    real size = exp(-tau * z.im);
    complex_number wave = make_complex(size * cos(tau * z.re), size * sin(tau * z.re)),
                   sum = make_complex(0, 0);
    complex_number square = tau * tau * (z * z);
    for (int n = 1; n <= 10; n++) {
        complex_number top = make_complex((n & 1 ? -wave.re : wave.re) - 1, n & 1 ? -wave.im : wave.im);
        sum = sum + (real)a[n - 1] * (top / (make_complex((real)(n * n) * pi * pi, 0) - square));
    }
    complex_number w = (make_complex(1, 0) - wave) / (tau * z) + tau * tau / root_pi * (z * sum);
    return make_complex(-w.im, w.re);
}

static __device__ inline complex_number faddeeva_far(complex_number z) {
    complex_number square = z * z;
    complex_number sum =
        make_complex((real)0.5124242247547685, 0) / (square - make_complex((real)0.2752551286084110, 0)) +
        make_complex((real)0.0517653587929880, 0) / (square - make_complex((real)2.7247448713915890, 0));
    complex_number w = z * sum;
    return make_complex(-w.im, w.re);
}

static __device__ inline complex_number faddeeva(complex_number z) {
    return z.re * z.re + z.im * z.im < 36 ? faddeeva_near(z) : faddeeva_far(z);
}

/* exp(-2 i phi) of the hard-sphere phase shift phi for each angular momentum. */
static __device__ inline void phase_factors(complex_number factor[4], const real *radius, real energy,
                                            int momenta) {
    for (int l = 0; l < momenta; l++) {
        real phi = radius[l] * sqrt(energy);
        if (l == 1) phi -= atan(phi);
        else if (l == 2) phi -= atan(3 * phi / (3 - phi * phi));
        else if (l == 3) phi -= atan(phi * (15 - phi * phi) / (15 - 6 * phi * phi));
        factor[l] = make_complex(cos(2 * phi), -sin(2 * phi));
    }
}

/* out[k * lookups + i]: total, absorption, fission, elastic of lookup i. */
GW_GRADIENT("out wrt poles")
GW_DERIVATIVE("out wrt poles")
__global__ void multipole_lookup(real *out, const pole *poles, const pole_window *windows,
                                 const int *window_count, const real *radius, const int *nuclide_count,
                                 const int *nuclide, const real *concentration, multipole_sizes m,
                                 int lookups) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    real energy = sample_energy(i);
    int material = sample_material(i);
    real macro[4] = {0, 0, 0, 0};
    for (int k = 0; k < nuclide_count[material]; k++) {
        int which = nuclide[material * m.most_nuclides + k];
        complex_number factor[4];
        phase_factors(factor, radius + which * m.momenta, energy, m.momenta);
        const pole_window &window = windows[which * m.most_windows + (int)(energy * window_count[which])];
        real total = energy * window.total, absorption = energy * window.absorption,
             fission = energy * window.fission;
        for (int j = window.first; j < window.last; j++) {
            const pole &p = poles[which * m.most_poles + j];
            complex_number w = faddeeva(m.doppler * (make_complex(energy, 0) - p.position));
            total += (p.total * w * factor[p.angular_momentum]).re;
            absorption += (p.absorption * w).re;
            fission += (p.fission * w).re;
        }
        real density = concentration[material * m.most_nuclides + k];
        macro[0] += density * total;
        macro[1] += density * absorption;
        macro[2] += density * fission;
        macro[3] += density * (total - absorption);
    }
    for (int k = 0; k < 4; k++) out[(size_t)k * lookups + i] = macro[k];
}
