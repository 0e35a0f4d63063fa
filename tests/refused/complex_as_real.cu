// source: complex_as_real.c
// says: complex_as_real.c:4:73: error: a complex number where a real one is meant cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double chosen(double x, double complex z) { return z ? x : 2 * x; }
// says:                                                                         ^
// says:   way out: write creal or cabs, or compare it with 0
// says: complex_as_real.c:5:84: error: this operator on a complex number cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double stepped(double x, double complex z) { return x * creal(z++); }
// says:                                                                                    ^
// says:   way out: write it with + - * /
// says: complex_as_real.c:6:77: error: a complex number where a real one is meant cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double added(double x, double complex z) { return x /= z; }
// says:                                                                             ^
// says:   way out: write creal or cabs, or compare it with 0
// says: complex_as_real.c:7:86: error: function 'cproj' has neither a body nor a derivative rule [no-rule]
// says: GW_GRADIENT("wrt x") double projected(double x, double complex z) { return x * creal(cproj(z * x)); }
// says:                                                                                      ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: complex_as_real.c:9:17: error: a complex number as a condition cannot be differentiated yet [unsupported]
// says:     _Bool all = z * x;
// says:                 ^
// says:   way out: compare it with 0
// says: complex_as_real.c:12:73: error: a complex number where a real one is meant cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double either(double x, double complex z) { return z * x && x > 0 ? x : 2 * x; }
// says:                                                                         ^
// says:   way out: write creal or cabs, or compare it with 0
// says: complex_as_real.c:13:75: error: a complex number where a real one is meant cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double negated(double x, double complex z) { return !(z * x) * x; }
// says:                                                                           ^
// says:   way out: write creal or cabs, or compare it with 0
// says: complex_as_real.c:14:92: error: a pointer cast to another type cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double reinterpreted(double x, const double complex *z) { return x * ((const double *)z)[1]; }
// says:                                                                                            ^
// says:   way out: access memory by its own type
// says: complex_as_real.c:15:86: error: this operator on a complex number cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double preceding(double x, double complex z) { return x * creal(++z); }
// says:                                                                                      ^
// says:   way out: write it with + - * /
// says: complex_as_real.c:17:12: error: a complex number where a real one is meant cannot be differentiated yet [unsupported]
// says:     while (z) z = 0;
// says:            ^
// says:   way out: write creal or cabs, or compare it with 0
