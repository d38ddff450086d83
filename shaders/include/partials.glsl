// What measure.comp leaves for total.comp: sums, then the deepest span's length, start and pixel.

const uint PARTIALS = 13;
const uint SUMMED = 10;
