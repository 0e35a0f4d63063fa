#pragma once
#include <thrust/gw_scans.h>
