#pragma once
#include <thrust/gw_policy.h>
