/*
 * multipole_data.h - poles for multipole_lookup.cuh, of any size: random positions and residues of each
 * nuclide, windows that share the poles out, and the materials' nuclides and concentrations. Include it below
 * the kernel.
 */
#ifndef GW_BENCHMARKS_MULTIPOLE_DATA_H
#define GW_BENCHMARKS_MULTIPOLE_DATA_H

#include "material_data.h"

struct multipole_data : material_data {
    std::vector<pole> poles;
    std::vector<pole_window> windows;
    std::vector<int> window_count;
    std::vector<real> radius;
    multipole_sizes sizes;

    /* `most_poles` and `most_windows`: of one nuclide; half of that to all of it are used. */
    multipole_data(int nuclides, int most_poles, int most_windows, int fuel, real doppler)
        : material_data(nuclides, fuel) {
        sizes = {most_poles, most_windows, most_nuclides, 4, doppler};
        poles.resize((size_t)nuclides * most_poles);
        windows.resize((size_t)nuclides * most_windows);
        for (pole &p : poles) p = {position(), number(), number(), number(), (int)(next() * 4)};
        for (int n = 0; n < nuclides * 4; n++) radius.push_back(next());
        for (int n = 0; n < nuclides; n++) fill_windows(n);
    }

private:
    complex_number position() { /* below the axis, so that w is asked above it */
        real re = next();
        return {re, (real)-0.1 - (real)0.9 * next()};
    }
    complex_number number() {
        real re = next();
        return {re, next()};
    }
    void fill_windows(int nuclide) {
        int count = sizes.most_windows - (int)(next() * (sizes.most_windows / 2 + 1));
        int used = sizes.most_poles - (int)(next() * (sizes.most_poles / 2 + 1));
        window_count.push_back(count);
        for (int w = 0; w < count; w++)
            windows[(size_t)nuclide * sizes.most_windows + w] = {next(), next(), next(), used * w / count,
                                                                 used * (w + 1) / count};
    }
};

#endif
