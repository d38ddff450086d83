#version 460
// Contacts, last: one workgroup sorts the contacts of both sides by key, gathers them to patches, and keeps of each patch the deepest and
// those that span it. Comparisons are in steps, and ties go to contacts of the last frame and then by key, so that a small motion
// changes nothing. Partner: query/contacts/reduction.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "raw_contact.glsl"

struct ContactsReduction {
    uint capacity;
    uint points;  // per patch; 0 for all
    uint patches; // per pair
    uint previous_count;
    // Contacts this close to what is kept, or to its hull, add nothing.
    float gap;
    // Steps in which separations and distances are compared.
    float depth_step;
    float distance_step;
    // Regions of the two sides belong together where contacts of both are this close.
    float link_distance;
    // The cosine of the largest angle between normals of a patch.
    float least_cosine;
    uint pad0;
    uint pad1;
    uint pad2;
};
// Keys of the last frame, high word first, in order.
layout(std430, binding = 0) readonly buffer Query { ContactsReduction query; uvec2 previous[]; };
layout(std430, binding = 1) buffer Raw { uint raw_count; uint raw_pad[3]; RawContact raw[]; };
// For each place in the order by key the contact; then its patch.
layout(std430, binding = 2) buffer Order { uint order[]; };

struct ContactsHead {
    uint raw;
    uint patches;
    uint kept;
    uint left_out; // contacts of patches beyond the limit
    // A unit pressure over all contacts, and over those kept: force, and torque about the origin of the pair's frame.
    float force[3];
    float torque[3];
    float kept_force[3];
    float kept_torque[3];
};
struct ContactPatch {
    float normal[3];
    float area;
    float centre[3];
    float hull_distance; // of the farthest contact left out from the hull of those kept
    float tangent[3];
    uint raw;
    float moments[3]; // of the area about the centroid: along the tangent, along the other tangent, mixed
    uint kept;
};
layout(std430, binding = 3) writeonly buffer Head { ContactsHead head; };
layout(std430, binding = 4) writeonly buffer Patches { ContactPatch patches[]; };
layout(std430, binding = 5) writeonly buffer Contacts { RawContact contacts[]; };

const uint NONE = 0xffffffffu;
// A contact of a patch that is kept has this set in its patch number.
const uint KEPT = 0x80000000u;
const uint MOST_POINTS = 32;
const uint DIRECTIONS = 16;
const float INFINITE = 3.0e38;

uint lane() { return gl_LocalInvocationID.x; }
uint count;

vec3 vector(float v[3]) { return vec3(v[0], v[1], v[2]); }
vec3 point_of(uint i) { return vector(raw[order[i]].point); }
vec3 normal_of(uint i) { return vector(raw[order[i]].normal); }
uint side_of(uint i) { return raw[order[i]].key_high >> 31; }
uint patch_of(uint i) { return order[query.capacity + i]; }
void set_patch(uint i, uint patch_number) { order[query.capacity + i] = patch_number; }

// --- sums and choices over the workgroup, in a fixed order ---------------------------------------------------------------

shared vec4 sums[LANES];
vec4 total(vec4 value)
{
    barrier();
    sums[lane()] = value;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane() < half_width) sums[lane()] += sums[lane() + half_width];
    }
    barrier();
    return sums[0];
}

shared float chosen_values[LANES];
shared uint chosen[LANES];
// The place with the largest value; of several the first. NONE where every lane has none.
uint best_of(float value, uint place)
{
    barrier();
    chosen_values[lane()] = value;
    chosen[lane()] = place;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane() < half_width) {
            uint other = lane() + half_width;
            bool better = chosen[lane()] == NONE || chosen_values[other] > chosen_values[lane()] ||
                          (chosen_values[other] == chosen_values[lane()] && chosen[other] < chosen[lane()]);
            if (chosen[other] != NONE && better) {
                chosen_values[lane()] = chosen_values[other];
                chosen[lane()] = chosen[other];
            }
        }
    }
    barrier();
    return chosen[0];
}

// --- the order by key -------------------------------------------------------------------------------------------------------

bool comes_before(uint a, uint b)
{
    if (a == NONE || b == NONE) return a != NONE && b == NONE;
    RawContact x = raw[a], y = raw[b];
    return x.key_high != y.key_high ? x.key_high < y.key_high : x.key_low < y.key_low;
}

// Bitonic: pairs that are compared depend on their places only.
void sort_by_key()
{
    uint size = 1;
    while (size < count) size *= 2;
    for (uint i = lane(); i < size; i += LANES) order[i] = i < count ? i : NONE;
    memoryBarrierBuffer();
    barrier();
    for (uint run = 2; run <= size; run *= 2)
        for (uint stride = run / 2; stride > 0; stride /= 2) {
            for (uint i = lane(); i < size / 2; i += LANES) {
                uint low = 2 * i - (i & (stride - 1)), high = low + stride;
                bool upwards = (low & run) == 0;
                uint a = order[low], b = order[high];
                if (comes_before(upwards ? b : a, upwards ? a : b)) {
                    order[low] = b;
                    order[high] = a;
                }
            }
            memoryBarrierBuffer();
            barrier();
        }
}

bool was_there(uint i)
{
    RawContact c = raw[order[i]];
    uint low = 0, high = query.previous_count;
    while (low < high) {
        uint middle = (low + high) / 2;
        uvec2 key = previous[middle];
        if (key.x < c.key_high || (key.x == c.key_high && key.y < c.key_low)) low = middle + 1;
        else high = middle;
    }
    return low < query.previous_count && previous[low] == uvec2(c.key_high, c.key_low);
}

// What a contact adds to its measure, which is a whole number of steps: vertices and edges are where they are, while the place of a minimum
// in a face depends on the field's cells; and contacts of the last frame win against others that are as good.
float preference(uint i)
{
    uint kind = raw[order[i]].key_high >> 29 & 3u;
    return 2.0 * float(2 - kind) + (was_there(i) ? 0.5 : 0.0);
}

// --- crossing edges -----------------------------------------------------------------------------------------------------------

// More edges than these are not compared with each other.
const uint MOST_EDGES = 512;
const uint ON_EDGE = 1;

// The places in the order of the contacts of a side that lie on edges: from, to.
uvec2 edges_of(uint side)
{
    uint number = side << 2 | ON_EDGE;
    vec4 counts = vec4(0.0);
    for (uint i = lane(); i < count; i += LANES) {
        uint own = raw[order[i]].key_high >> 29;
        counts += vec4(own < number ? 1.0 : 0.0, own <= number ? 1.0 : 0.0, 0.0, 0.0);
    }
    counts = total(counts);
    return uvec2(counts.xy);
}

// How far along its edge a contact is, as a part of it.
float along_edge(RawContact c)
{
    uint to = (c.key_low + 1) % 3;
    return to == 0 ? 1.0 - c.weights[0] - c.weights[1] : c.weights[to - 1];
}

// A field is round at an edge, so that an edge that crosses it seems to end up to two cells off. The lines of both edges tell where it is, and how far
// apart they are. The exact distance there is no more than to that point of the other edge.
RawContact crossed(RawContact c, uvec2 others)
{
    vec3 a = vector(c.point), u = vector(c.edge), normal = vector(c.normal);
    float least = 2.0 * query.gap, part = 0.0;
    vec3 to_other = vec3(0.0), across = vec3(0.0);
    for (uint i = others.x; i < others.y; ++i) {
        RawContact other = raw[order[i]];
        vec3 between = vector(other.point) - a, w = vector(other.edge), n = cross(u, w);
        float square = dot(n, n);
        if (!(square > 0.01 * dot(u, u) * dot(w, w))) continue;
        float by = dot(cross(between, w), n) / square, other_by = dot(cross(between, u), n) / square;
        float moved = max(abs(by) * length(u), abs(other_by) * length(w));
        float own = along_edge(c) + by, others_own = along_edge(other) + other_by;
        bool on_both = min(own, others_own) >= 0.0 && max(own, others_own) <= 1.0;
        n *= sign(dot(n, normal)) / sqrt(square);
        if (!on_both || moved >= least || !(dot(n, normal) > 0.5)) continue;
        least = moved;
        part = by;
        to_other = between + other_by * w - by * u;
        across = n;
    }
    if (across == vec3(0.0)) return c;
    float slack = 1e-6 * (length(a) + length(u)), moved = abs(part) * length(u), most = length(to_other) + slack;
    c.point = floats(a + part * u);
    c.normal = floats(across);
    c.separation = dot(to_other, across) * (c.key_high >> 31 == 0 ? -1.0 : 1.0);
    c.lower = min(max(c.lower - moved, -most), c.separation);
    c.upper = max(min(c.upper + moved, most), c.separation);
    uint from = c.key_low % 3, to = (from + 1) % 3;
    if (from > 0) c.weights[from - 1] -= part;
    if (to > 0) c.weights[to - 1] += part;
    return c;
}

void cross_edges()
{
    uvec2 sides[2] = uvec2[2](edges_of(0), edges_of(1));
    for (uint side = 0; side < 2; ++side) {
        uvec2 own = sides[side], others = sides[1 - side];
        if (own.y - own.x > MOST_EDGES || others.y - others.x > MOST_EDGES || others.x == others.y) continue;
        // Lanes read what others write, so all have read before one writes.
        for (uint first = own.x; first < own.y; first += LANES) {
            uint i = first + lane();
            RawContact c = raw[order[min(i, own.y - 1)]];
            c = crossed(c, others);
            memoryBarrierBuffer();
            barrier();
            if (i < own.y) raw[order[i]] = c;
            memoryBarrierBuffer();
            barrier();
        }
    }
}

// --- patches ------------------------------------------------------------------------------------------------------------------

uint seed_contact()
{
    float value = -INFINITE;
    uint place = NONE;
    for (uint i = lane(); i < count; i += LANES) {
        if (patch_of(i) != NONE) continue;
        float own = preference(i) - floor(raw[order[i]].separation / query.depth_step);
        if (place == NONE || own > value) {
            value = own;
            place = i;
        }
    }
    return best_of(value, place);
}

// The region of the other side that touches here too, or NONE.
uint other_region(uint seed)
{
    vec3 normal = normal_of(seed), point = point_of(seed);
    float value = -INFINITE;
    uint place = NONE;
    for (uint i = lane(); i < count; i += LANES) {
        if (side_of(i) == side_of(seed) || dot(normal, normal_of(i)) < query.least_cosine) continue;
        float own = -distance(point, point_of(i));
        if (-own <= query.link_distance && own > value) {
            value = own;
            place = i;
        }
    }
    uint nearest = best_of(value, place);
    return nearest == NONE ? NONE : raw[order[nearest]].region;
}

shared uint kept[MOST_POINTS];
shared float supports[DIRECTIONS];
uint kept_count;
vec3 tangents[2];

vec3 direction(uint k)
{
    float angle = 6.28318530718 * float(k) / float(DIRECTIONS);
    return cos(angle) * tangents[0] + sin(angle) * tangents[1];
}

// How far a point is outside of the hull of what is kept in one of a few directions along the patch: enough to choose the next by, at the cost of
// one pass.
float outside_hull(vec3 p)
{
    float most = 0.0;
    for (uint k = 0; k < DIRECTIONS; ++k) most = max(most, dot(direction(k), p) - supports[k]);
    return most;
}

// How far a point is outside of the hull of what is kept, seen along the normal. It is outside where a line through it and a point that is
// kept has all others on one side, and then as far away as from the nearest of all segments between them.
float hull_distance(vec3 p)
{
    bool outside = false;
    float least = INFINITE;
    for (uint i = 0; i < kept_count; ++i) {
        vec3 to_first = point_of(kept[i]) - p;
        vec2 a = vec2(dot(to_first, tangents[0]), dot(to_first, tangents[1]));
        bool left = true, right = true;
        least = min(least, length(a));
        for (uint j = 0; j < kept_count; ++j) {
            vec3 to_second = point_of(kept[j]) - p;
            vec2 b = vec2(dot(to_second, tangents[0]), dot(to_second, tangents[1])), along = b - a;
            float turn = a.x * b.y - a.y * b.x, square = dot(along, along);
            left = left && turn >= 0.0;
            right = right && turn <= 0.0;
            float part = square > 0.0 ? clamp(-dot(a, along) / square, 0.0, 1.0) : 0.0;
            least = min(least, length(a + part * along));
        }
        outside = outside || left || right;
    }
    return outside && kept_count > 0 ? least : 0.0;
}

void keep(uint place)
{
    vec3 p = point_of(place);
    barrier();
    if (lane() == 0) {
        kept[kept_count] = place;
        set_patch(place, patch_of(place) | KEPT);
    }
    if (lane() < DIRECTIONS) {
        float here = dot(direction(lane()), p);
        supports[lane()] = kept_count == 0 ? here : max(supports[lane()], here);
    }
    ++kept_count;
    memoryBarrierBuffer();
    barrier();
}

// The next contact of a patch to keep. First the one farthest from the middle among the deepest, then the farthest outside of the hull of
// what is kept.
uint next_contact(uint patch_number, float deepest, vec3 centre)
{
    float value = -INFINITE;
    uint place = NONE;
    for (uint i = lane(); i < count; i += LANES) {
        if (patch_of(i) != patch_number) continue;
        vec3 p = point_of(i);
        float far;
        if (kept_count == 0) {
            if (raw[order[i]].separation > deepest + query.depth_step) continue;
            far = distance(p, centre);
        } else {
            far = outside_hull(p);
            if (far <= query.gap) continue;
        }
        float own = floor(far / query.distance_step) + preference(i);
        if (own > value) {
            value = own;
            place = i;
        }
    }
    return best_of(value, place);
}

bool is_of(uint i, uint patch_number) { return (patch_of(i) & ~KEPT) == patch_number && patch_of(i) != NONE; }

uint written;
vec3 kept_force, kept_torque;

// The contacts that are kept, each with the area of all that are nearer to it than to others.
void write_kept(uint patch_number)
{
    for (uint k = 0; k < kept_count; ++k) {
        float area = 0.0;
        for (uint i = lane(); i < count; i += LANES) {
            if (!is_of(i, patch_number)) continue;
            vec3 p = point_of(i);
            uint nearest = 0;
            for (uint j = 1; j < kept_count; ++j)
                if (distance(p, point_of(kept[j])) < distance(p, point_of(kept[nearest]))) nearest = j;
            if (nearest == k) area += raw[order[i]].area;
        }
        area = total(vec4(area, 0.0, 0.0, 0.0)).x;
        RawContact c = raw[order[kept[k]]];
        c.area = area;
        c.region = patch_number;
        vec3 force = area * normal_of(kept[k]);
        kept_force += force;
        kept_torque += cross(point_of(kept[k]), force);
        if (lane() == 0) contacts[written + k] = c;
    }
    written += kept_count;
}

void write_patch(uint patch_number, vec4 normal_sum, vec4 centre, uint members)
{
    vec3 moments = vec3(0.0);
    float farthest = 0.0;
    for (uint i = lane(); i < count; i += LANES) {
        if (!is_of(i, patch_number)) continue;
        vec3 away = point_of(i) - centre.xyz;
        vec2 flat_away = vec2(dot(away, tangents[0]), dot(away, tangents[1]));
        moments += raw[order[i]].area * vec3(flat_away * flat_away, flat_away.x * flat_away.y);
        farthest = max(farthest, hull_distance(point_of(i)));
    }
    moments = total(vec4(moments, 0.0)).xyz;
    uint where = best_of(farthest, lane());
    farthest = chosen_values[0];
    barrier();
    if (lane() != 0) return;
    ContactPatch own;
    own.normal = floats(normal_sum.xyz);
    own.area = centre.w;
    own.centre = floats(centre.xyz);
    own.hull_distance = farthest;
    own.tangent = floats(tangents[0]);
    own.raw = members;
    own.moments = floats(moments);
    own.kept = kept_count;
    patches[patch_number] = own;
}

// Gathers, reduces and writes a patch around a contact.
void make_patch(uint patch_number, uint seed)
{
    vec3 seed_normal = normal_of(seed);
    float deepest = raw[order[seed]].separation;
    uint side = side_of(seed), region = raw[order[seed]].region, other = other_region(seed);
    vec4 centre = vec4(0.0), normal_sum = vec4(0.0);
    for (uint i = lane(); i < count; i += LANES) {
        uint own_region = side_of(i) == side ? region : other;
        if (patch_of(i) != NONE || raw[order[i]].region != own_region || dot(seed_normal, normal_of(i)) < query.least_cosine)
            continue;
        set_patch(i, patch_number);
        float area = raw[order[i]].area;
        centre += vec4(area * point_of(i), area);
        normal_sum += vec4(area * normal_of(i), 1.0);
    }
    memoryBarrierBuffer();
    centre = total(centre);
    normal_sum = total(normal_sum);
    uint members = uint(normal_sum.w);
    centre.xyz = centre.w > 0.0 ? centre.xyz / centre.w : point_of(seed);
    float size = length(normal_sum.xyz);
    normal_sum.xyz = size > 0.0 ? normal_sum.xyz / size : seed_normal;
    // Any two directions square to the normal, the same for the same normal.
    vec3 least = abs(normal_sum.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    tangents[0] = normalize(cross(normal_sum.xyz, least));
    tangents[1] = cross(normal_sum.xyz, tangents[0]);
    kept_count = 0;
    if (query.points != 0) {
        for (uint k = 0; k < query.points; ++k) {
            uint place = next_contact(patch_number, deepest, centre.xyz);
            if (place == NONE) break;
            keep(place);
        }
        // One point stands for a small patch: the deepest.
        if (kept_count == 1) {
            barrier();
            if (lane() == 0) kept[0] = seed;
            barrier();
        }
        write_kept(patch_number);
    }
    write_patch(patch_number, normal_sum, centre, members);
}

// All contacts, without a choice.
void write_all()
{
    for (uint i = lane(); i < count; i += LANES) {
        RawContact c = raw[order[i]];
        c.region = patch_of(i);
        contacts[i] = c;
    }
    written = count;
}

// Contacts of no patch that are as good as one that is kept join its patch: the other side has found it, too.
void join_kept(uint patch_count)
{
    for (uint i = lane(); i < count; i += LANES) {
        if (patch_of(i) != NONE) continue;
        vec3 p = point_of(i), n = normal_of(i);
        for (uint k = 0; k < kept_count; ++k)
            if (distance(p, point_of(kept[k])) <= query.gap && dot(n, normal_of(kept[k])) >= query.least_cosine)
                set_patch(i, patch_count);
    }
    memoryBarrierBuffer();
    barrier();
}

void main()
{
    uint found = raw_count;
    count = found > query.capacity ? 0 : found;
    sort_by_key();
    cross_edges();
    for (uint i = lane(); i < count; i += LANES) set_patch(i, NONE);
    memoryBarrierBuffer();
    barrier();
    written = 0;
    kept_force = kept_torque = vec3(0.0);
    uint patch_count = 0;
    while (patch_count < query.patches) {
        uint seed = seed_contact();
        if (seed == NONE) break;
        make_patch(patch_count, seed);
        join_kept(patch_count);
        ++patch_count;
    }
    vec4 force = vec4(0.0), torque = vec4(0.0);
    for (uint i = lane(); i < count; i += LANES) {
        vec3 own = raw[order[i]].area * normal_of(i);
        force += vec4(own, patch_of(i) == NONE ? 1.0 : 0.0);
        torque += vec4(cross(point_of(i), own), 0.0);
    }
    force = total(force);
    torque = total(torque);
    if (query.points == 0) {
        write_all();
        kept_force = force.xyz;
        kept_torque = torque.xyz;
    }
    if (lane() != 0) return;
    head.raw = found;
    head.patches = patch_count;
    head.kept = written;
    head.left_out = uint(force.w);
    head.force = floats(force.xyz);
    head.torque = floats(torque.xyz);
    head.kept_force = floats(kept_force);
    head.kept_torque = floats(kept_torque);
}
