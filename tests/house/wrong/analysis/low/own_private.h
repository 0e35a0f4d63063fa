int gw_own(int x);
