#pragma once
#include <thrust/gw_memory.h>
