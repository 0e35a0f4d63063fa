// Cross sections by table: binary searches in bins, interpolation, a table that all threads share.
#include "../support/check.cuh"

typedef double real;
#include "../../benchmarks/workloads/table_lookup.cuh"
#include "table_lookup.grad.cuh"

CHECK_CELLS(table_point, CHECK_CELL(table_point, energy), CHECK_CELL(table_point, total),
            CHECK_CELL(table_point, elastic), CHECK_CELL(table_point, absorption),
            CHECK_CELL(table_point, fission), CHECK_CELL(table_point, nu_fission))

#include "../../benchmarks/workloads/table_data.h"

static const table_data data(4, 9, 3, 3);

CHECK_KERNEL(table_lookup, 2, 16, out(5 * 24), in_given(data.grid), given(data.bin_start),
             given(data.nuclide_count), given(data.nuclide), given(data.concentration), data.sizes, 24)
TEST_MAIN
