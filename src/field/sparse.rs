//! A field that is fine only near the surface: bricks of 8 x 8 x 8 cells over a coarse grid everywhere.
