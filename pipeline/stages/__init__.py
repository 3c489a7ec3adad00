"""The stages: one module each, a pure function and a thin command; files join them, Make orders them."""
