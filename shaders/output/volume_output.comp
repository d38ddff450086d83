#version 460
// What two meshes have in common, seen along one axis, as a record in the world. Partner: query/volume/output.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
#include "output.glsl"
#include "floats.glsl"
#include "frame.glsl"
#include "sums64.glsl"

struct VolumeRecord {
    float volume;
    float lower;
    float upper;
    float deepest;
    float centre[3];
    uint axis;
    float gradient_a[3];
    uint rays;
    float torque_a[3];
    float torque_b[3];
    uint flawed[2];
    uint layers[2];
    float min[3];
    float max[3];
    float deepest_span[6];
};
layout(std430, binding = 2) readonly buffer Summaries { Summary summary; };
layout(std430, binding = 3) writeonly buffer Records { OutputHead head; VolumeRecord records[]; };

layout(push_constant) uniform VolumeOutputPush {
    OutputRoom room;
    uint nodes;
    uint pixels;
    uint prisms; // 1 where the meshes were integrated
} push;

// Bins in the parts that prisms are counted in, 65536 to a bin.
uvec2 parts(uint bins) { return uvec2(bins << 16, bins >> 16); }
uvec2 prism(uint i) { return uvec2(summary.prisms[2 * i], summary.prisms[2 * i + 1]); }

// The least and the greatest volume in bins: see volume/certificate.rs. Sums are of integers; what becomes a float is widened.
vec2 interval()
{
    vec2 bins = vec2(min(summary.lower_bins, summary.upper_bins), max(summary.lower_bins, summary.upper_bins));
    bool flawed = summary.flawed[0] != 0 || summary.flawed[1] != 0 || summary.turned[0] == 3 || summary.turned[1] == 3;
    if (push.prisms == 0 || flawed) return bins;
    uvec2 known = sum64(sum64(size64(prism(0)), size64(prism(1))), minus64(parts(summary.shared_bins)));
    uint alike = summary.doubtful_bins - summary.differing_bins;
    float lower = real64(sum64(known, minus64(sum64(prism(2), parts(summary.differing_bins))))) / 65536.0;
    float upper = real64(sum64(known, sum64(prism(2), parts(alike)))) / 65536.0;
    vec2 both = vec2(max(bins.x, lower - 4e-7 * abs(lower)), min(bins.y, upper + 4e-7 * abs(upper)));
    return both.x <= both.y ? both : bins;
}

// A place of the frame, in the world, moved outwards by more than it was rounded.
vec3 corner(vec3 place, float outwards)
{
    vec3 origin = to_axes(vec(summary.frame.origin), summary.frame.axis), at = world_at(summary.frame, place);
    return at + outwards * (1e-6 * (abs(origin) + abs(at - origin)) + 1.1754944e-38);
}

// Moments about a centre, of those about the middle of the frame.
vec3 about(vec3 centre, vec3 middle, vec3 force, vec3 torque) { return torque + cross(middle - centre, force); }

VolumeRecord found()
{
    Frame frame = summary.frame;
    vec3 cell = cell_of(frame);
    // Three quotients, each off by 2.5 units in the last place, and four products.
    float bin = cell.x * cell.y * cell.z, rounding = 2e-6;
    vec2 bins = interval();
    vec3 gradient = to_axes(vec(summary.gradient), frame.axis), torque = to_axes(vec(summary.torque), frame.axis);
    vec3 middle = world_at(frame, 0.5 * vec3(frame.width - 1, frame.height - 1, frame.bins));
    VolumeRecord r;
    r.lower = bins.x * bin * (1.0 - rounding);
    r.upper = bins.y * bin * (1.0 + rounding);
    r.volume = min(max(summary.extent * bin, r.lower), r.upper);
    r.centre = floats(summary.extent > 0.0 ? world_at(frame, vec(summary.moment) / summary.extent) : vec3(0.0));
    r.axis = frame.axis;
    r.gradient_a = floats(gradient);
    r.rays = (frame.width - 2) * (frame.height - 2);
    r.torque_a = floats(about(shift_of(placement.a), middle, gradient, torque));
    r.torque_b = floats(about(shift_of(placement.b), middle, -gradient, -torque));
    r.flawed = summary.flawed;
    r.layers = summary.layers;
    bool any_bin = summary.upper_bins > 0;
    vec3 low = vec3(~summary.complement[0], ~summary.complement[1], ~summary.complement[2]) - vec3(0.5, 0.5, 0.0);
    vec3 high = vec3(summary.maxima[0], summary.maxima[1], summary.maxima[2]) + vec3(0.5, 0.5, 1.0);
    r.min = floats(any_bin ? corner(low, -1.0) : vec3(0.0));
    r.max = floats(any_bin ? corner(high, 1.0) : vec3(0.0));
    r.deepest = summary.deepest_length * cell.z;
    vec3 ray = vec3(summary.deepest_pixel % frame.width, summary.deepest_pixel / frame.width, summary.deepest_from);
    vec3 from = r.deepest > 0.0 ? world_at(frame, ray) : vec3(0.0);
    vec3 to = r.deepest > 0.0 ? world_at(frame, ray + vec3(0.0, 0.0, summary.deepest_length)) : vec3(0.0);
    r.deepest_span = float[6](from.x, from.y, from.z, to.x, to.y, to.z);
    return r;
}

VolumeRecord nothing()
{
    float none[3] = float[3](0.0, 0.0, 0.0);
    float span[6] = float[6](0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    uint zero[2] = uint[2](0, 0);
    return VolumeRecord(0.0, 0.0, 0.0, 0.0, none, summary.frame.axis, none, 0, none, none, zero, zero, none, none, span);
}

void main()
{
    bool whole = is_whole(summary, push.nodes, push.pixels);
    head = note = head_of(push.room, 1, whole ? 0 : INCOMPLETE);
    if (push.room.capacity == 0) return;
    if (whole && summary.frame.width > 0) records[0] = found();
    else records[0] = nothing();
}
