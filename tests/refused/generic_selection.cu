// Cases in a C source.
// source: generic_selection.c
// says: generic_selection.c:4:62: error: a generic selection of several of one type cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double chosen(double x, int n) { return _Generic(n, int: x * x, long: 2 * x); }
// says:                                                              ^
// says:   way out: call the function of the type
