#pragma once
#include "gradwright/runtime.h"
int one;
int two;
int three;
