double elsewhere(double x) { return x * x; }
