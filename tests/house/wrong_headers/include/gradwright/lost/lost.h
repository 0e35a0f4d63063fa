#pragma once
/* No row has this folder. */
int one;
int two;
int three;
