#pragma once
#include <cub/gw_other_collectives.cuh>
