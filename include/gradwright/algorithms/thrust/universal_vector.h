#pragma once
#include <thrust/gw_vector.h>
