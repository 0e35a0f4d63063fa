int gw_low(int x);
