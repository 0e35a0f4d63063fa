#pragma once
#include <thrust/copy.h>
#include <thrust/gw_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
