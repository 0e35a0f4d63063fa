#pragma once
#include <thrust/gw_elementwise.h>
