// What the kernels of the narrow band are pushed. `band_cells` is the band in cells. Partner: query/band.rs, BandPush.

layout(push_constant) uniform BandPush {
    float origin[3];
    float inverse_cell;
    uint nodes[3];
    float band_cells;
    float cell;
    float band;
    uint count;
    uint first;
    uint stride;
} push;
