#pragma once
#include <cub/device/gw_others.cuh>
