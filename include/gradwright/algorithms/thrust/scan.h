#pragma once
#include <thrust/gw_by_key.h>
