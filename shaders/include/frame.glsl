// The grid of rays of a layered depth image, and the summary that its kernels fill. Partner: query/ldi.rs.
//
// A place in the frame is (u, v, w): u and v in pixels, with every ray at whole numbers, w along the rays in depth bins. The volume
// of interest is 0.5 <= u <= width - 1.5, 0.5 <= v <= height - 1.5, 0 <= w <= bins; around it is a border of one pixel.

struct Frame {
    float origin[3];
    // The rays run along this axis of the world; u and v are the next two, cyclically.
    uint axis;
    float scale[3];
    // Zero when there is no volume of interest.
    uint width;
    float slack[3];
    uint height;
    uint bins;
    // Pixels that were asked for; more than there is memory for leave the frame empty.
    uint wanted_pixels;
    // For each mesh 1 where only its upper side is certainly outside, so that windings are counted from above.
    uint from_above[2];
    // Beyond these depths the triangles of a mesh do not matter.
    float keep_from[2];
    float keep_to[2];
};

struct Summary {
    Frame frame;
    uint nodes;
    uint lower_bins;
    uint upper_bins;
    uint layers_found;
    uint flawed[2];
    uint layers[2];
    // The largest u, v, w that the intersection may have, and of the complements of its minima.
    uint maxima[3];
    uint complement[3];
    uint deepest_pixel;
    float deepest_length;
    float deepest_from;
    float extent;
    float moment[3];
    float gradient[3];
    float torque[3];
    // Bins inside both; bins marked by both, and those of them inside one.
    uint shared_bins;
    uint doubtful_bins;
    uint differing_bins;
    // For each mesh, bit 0 where something is wound around forwards, bit 1 where backwards.
    uint turned[2];
    // Sums of 64 bits: of the first mesh's prisms, of the second's, and of what they may be off by.
    uint prisms[6];
};

const uint NIL = 0x7fffffffu;
const uint MAX_UINT = 0xffffffffu;

// The world's x, y, z in the order u, v, w.
vec3 turned(vec3 world, uint axis) { return axis == 0 ? world.yzx : axis == 1 ? world.zxy : world.xyz; }
// And back.
vec3 to_axes(vec3 turned, uint axis) { return axis == 0 ? turned.zxy : axis == 1 ? turned.yzx : turned; }

vec3 cell_of(Frame frame) { return 1.0 / vec3(frame.scale[0], frame.scale[1], frame.scale[2]); }
// The world place of a place in the frame.
vec3 world_at(Frame frame, vec3 place)
{
    return to_axes(vec3(frame.origin[0], frame.origin[1], frame.origin[2]) + place * cell_of(frame), frame.axis);
}
// Whether there was room for all rays and for `nodes` crossings.
bool is_whole(Summary summary, uint nodes, uint pixels) { return summary.nodes <= nodes && summary.frame.wanted_pixels <= pixels; }
