// Which triangles of a cluster are drawn along which axis: two words of bits for each axis. Partner: query/drawing.rs.
#define MASKS 6

shared uint bin_masks[MASKS];
shared uint bin_box[6];

void start_box() { if (gl_LocalInvocationID.x < 6) bin_box[gl_LocalInvocationID.x] = 0xffffffffu; }
void start_bins() { if (gl_LocalInvocationID.x < MASKS) bin_masks[gl_LocalInvocationID.x] = 0; }

// Puts the triangle of this lane, placed in the field's frame, into the bin of its axis.
void bin(uint lane, vec3 a, vec3 b, vec3 c)
{
    atomicOr(bin_masks[2 * side_of(a, b, c).axis + lane / 32], 1u << (lane % 32));
}

// Makes the box hold what lies between two corners.
void grow_box(vec3 least, vec3 most)
{
    for (uint i = 0; i < 3; ++i) {
        atomicMin(bin_box[i], ordered(least[i]));
        atomicMin(bin_box[3 + i], ~ordered(most[i]));
    }
}
