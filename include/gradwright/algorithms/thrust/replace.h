#pragma once
#include <thrust/gw_others.h>
