#pragma once
#include <thrust/gw_select.h>
