#pragma once
#include <gradwright/emitted/good.h>
int one;
int two;
int three;
