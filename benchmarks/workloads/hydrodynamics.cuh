/*
 * hydrodynamics.cuh - equation of state and energy update of a Lagrangian hydrodynamics proxy, as the LULESH
 * report (LLNL-TR-490254, section 1.5) states it: for each element of a region, an energy predictor at half the
 * step, an artificial viscosity, and two corrections, with cut-offs and bounds; at last the sound speed. A
 * region repeats its update `repeats` times, the proxy's stand-in for dearer equations of state.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

struct material {
    real energy_cut, pressure_cut, viscosity_cut;
    real energy_least, pressure_least;
    real volume_least, volume_most; /* 0: no bound */
    real density;                   /* of reference */
};

static __device__ inline real pressure_of(real energy, real compression, real volume, const material &m) {
    real pressure = (real)(2.0 / 3.0) * (compression + 1) * energy;
    if (fabs(pressure) < m.pressure_cut) pressure = 0;
    if (volume >= m.volume_most) pressure = 0;
    if (pressure < m.pressure_least) pressure = m.pressure_least;
    return pressure;
}

/* Sound speed from energy, pressure and volume; `compression` is that of the pressure. */
static __device__ inline real sound_speed(real energy, real pressure, real compression, real volume,
                                          const material &m) {
    const real slope = (real)(2.0 / 3.0);
    real square = (slope * energy + volume * volume * slope * (compression + 1) * pressure) / m.density;
    return square <= (real)0.1111111e-36 ? (real)0.3333333e-18 : sqrt(square);
}

static __device__ inline real bounded(real energy, const material &m) {
    if (fabs(energy) < m.energy_cut) energy = 0;
    return energy < m.energy_least ? m.energy_least : energy;
}

GW_GRADIENT("e, p, q, ss wrt e, p, q, qq, ql, delv, volume")
GW_DERIVATIVE("e, p, q, ss wrt e, p, q, qq, ql, delv, volume")
__global__ void equation_of_state(real *e, real *p, real *q, real *ss, const real *qq, const real *ql,
                                  const real *delv, const real *volume, const int *list, int count, int repeats,
                                  material m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int element = list[i];
    real v = volume[element];
    if (m.volume_least != 0 && v < m.volume_least) v = m.volume_least;
    if (m.volume_most != 0 && v > m.volume_most) v = m.volume_most;

    real energy = 0, pressure = 0, viscosity = 0, compression = 0;
    for (int k = 0; k < repeats; k++) {
        real e_old = e[element], p_old = p[element], q_old = q[element];
        real change = delv[element], quadratic = qq[element], linear = ql[element];
        real v_half = v - change * (real)0.5;
        real compression_half = 1 / v_half - 1;
        compression = 1 / v - 1;
        if (m.volume_least != 0 && v <= m.volume_least) compression_half = compression;
        if (m.volume_most != 0 && v >= m.volume_most) p_old = compression = compression_half = 0;
        const real work = 0;

        energy = e_old - (real)0.5 * change * (p_old + q_old) + (real)0.5 * work;
        if (energy < m.energy_least) energy = m.energy_least;
        real p_half = pressure_of(energy, compression_half, v, m);
        if (change > 0) viscosity = 0;
        else
            viscosity = sound_speed(energy, p_half, compression_half, 1 / (1 + compression_half), m) * linear +
                        quadratic;
        energy += (real)0.5 * change * (3 * (p_old + q_old) - 4 * (p_half + viscosity)) + (real)0.5 * work;
        energy = bounded(energy, m);

        pressure = pressure_of(energy, compression, v, m);
        real q_tilde = change > 0 ? 0 : sound_speed(energy, pressure, compression, v, m) * linear + quadratic;
        energy -= (7 * (p_old + q_old) - 8 * (p_half + viscosity) + (pressure + q_tilde)) * change / 6;
        energy = bounded(energy, m);

        pressure = pressure_of(energy, compression, v, m);
        if (change <= 0) {
            viscosity = sound_speed(energy, pressure, compression, v, m) * linear + quadratic;
            if (fabs(viscosity) < m.viscosity_cut) viscosity = 0;
        }
    }
    e[element] = energy;
    p[element] = pressure;
    q[element] = viscosity;
    ss[element] = sound_speed(energy, pressure, compression, v, m);
}
