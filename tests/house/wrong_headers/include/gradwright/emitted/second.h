#pragma once
#include "first.h"
int one;
int two;
int three;
