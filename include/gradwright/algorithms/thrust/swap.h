#pragma once
#include <thrust/gw_elementwise.h>
#include <thrust/gw_others.h>
