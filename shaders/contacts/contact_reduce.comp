#version 460
// Contacts, last: one workgroup sorts the contacts of both sides by key, gathers them to patches, and keeps of each patch the deepest and
// those that span it. Comparisons are in steps, and ties go to contacts of the last frame and then by key, so that a small motion
// changes nothing. Partner: query/contacts/reduction.rs.
#extension GL_GOOGLE_include_directive : require
// Few: most pairs have few contacts, and a software device pays for each lane at each barrier.
#define LANES 32
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
    // Where the pair's memory starts, counted from that of the dispatch's first pair: its keys, its contacts, the words of their order, and
    // its answer, in pieces of 64 bytes.
    uint previous_at;
    uint raw_at;
    uint order_at;
    uint answer_at;
    uint pad[3];
};
layout(std430, binding = 0) readonly buffer Query { ContactsReduction queries[]; };
layout(push_constant) uniform PairsPush { uint pairs[15]; } push; // elements of `queries`
ContactsReduction query = queries[push.pairs[gl_WorkGroupID.x]];
layout(std430, binding = 1) readonly buffer Raw { RawContact raw[]; };
// For each place in the order by key the contact; then its patch.
layout(std430, binding = 2) buffer Order { uint order[]; };
// Keys of the last frame, high word first, in order.
layout(std430, binding = 6) readonly buffer Previous { uvec2 previous[]; };

#include "contacts_answer.glsl"
layout(std430, binding = 3) writeonly buffer Heads { ContactsHead heads[]; };
layout(std430, binding = 4) writeonly buffer Patches { ContactPatch patches[]; };
layout(std430, binding = 5) writeonly buffer Contacts { RawContact contacts[]; };

const uint NONE = 0xffffffffu;
const float NO_FORCE[3] = float[3](0.0, 0.0, 0.0);
// A contact of a patch that is kept has this set in its patch number.
const uint KEPT = 0x80000000u;
const uint MOST_POINTS = 32;
const uint DIRECTIONS = 16;
const float INFINITE = 3.0e38;

uint lane() { return gl_LocalInvocationID.x; }
uint count;

uint contact_at(uint i) { return order[query.order_at + i]; }
uint first_contact() { return query.answer_at + 1 + query.patches; }

vec3 point_of(uint i) { RawContact c = raw[contact_at(i)]; return vec3(c.point[0], c.point[1], c.point[2]); }
vec3 normal_of(uint i) { RawContact c = raw[contact_at(i)]; return vec3(c.normal[0], c.normal[1], c.normal[2]); }
uint side_of(uint i) { return raw[contact_at(i)].key_high >> 31; }
uint patch_of(uint i) { return order[query.order_at + query.capacity + i]; }
void set_patch(uint i, uint patch_number) { order[query.order_at + query.capacity + i] = patch_number; }

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
    for (uint i = lane(); i < size; i += LANES) order[query.order_at + i] = i < count ? query.raw_at + 1 + i : NONE;
    memoryBarrierBuffer();
    barrier();
    for (uint run = 2; run <= size; run *= 2)
        for (uint stride = run / 2; stride > 0; stride /= 2) {
            for (uint i = lane(); i < size / 2; i += LANES) {
                uint place = 2 * i - (i & (stride - 1)), low = query.order_at + place, high = low + stride;
                bool upwards = (place & run) == 0;
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
    RawContact c = raw[contact_at(i)];
    uint low = 0, high = query.previous_count;
    while (low < high) {
        uint middle = (low + high) / 2;
        uvec2 key = previous[query.previous_at + middle];
        if (key.x < c.key_high || (key.x == c.key_high && key.y < c.key_low)) low = middle + 1;
        else high = middle;
    }
    return low < query.previous_count && previous[query.previous_at + low] == uvec2(c.key_high, c.key_low);
}

// What a contact adds to its measure, which is a whole number of steps: vertices and edges are where they are, while the place of a minimum
// in a face depends on the field's cells; and contacts of the last frame win against others that are as good.
float preference(uint i)
{
    uint kind = raw[contact_at(i)].key_high >> 29 & 3u;
    return 2.0 * float(2 - kind) + (was_there(i) ? 0.5 : 0.0);
}

// --- patches ------------------------------------------------------------------------------------------------------------------

uint seed_contact()
{
    float value = -INFINITE;
    uint place = NONE;
    for (uint i = lane(); i < count; i += LANES) {
        if (patch_of(i) != NONE) continue;
        float own = preference(i) - floor(raw[contact_at(i)].separation / query.depth_step);
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
    return nearest == NONE ? NONE : raw[contact_at(nearest)].region;
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
            if (raw[contact_at(i)].separation > deepest + query.depth_step) continue;
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
            if (nearest == k) area += raw[contact_at(i)].area;
        }
        area = total(vec4(area, 0.0, 0.0, 0.0)).x;
        RawContact c = raw[contact_at(kept[k])];
        c.area = area;
        c.region = patch_number;
        vec3 force = area * normal_of(kept[k]);
        kept_force += force;
        kept_torque += cross(point_of(kept[k]), force);
        if (lane() == 0) contacts[first_contact() + written + k] = c;
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
        moments += raw[contact_at(i)].area * vec3(flat_away * flat_away, flat_away.x * flat_away.y);
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
    patches[query.answer_at + 1 + patch_number] = own;
}

// Gathers, reduces and writes a patch around a contact.
void make_patch(uint patch_number, uint seed)
{
    vec3 seed_normal = normal_of(seed);
    float deepest = raw[contact_at(seed)].separation;
    uint side = side_of(seed), region = raw[contact_at(seed)].region, other = other_region(seed);
    vec4 centre = vec4(0.0), normal_sum = vec4(0.0);
    for (uint i = lane(); i < count; i += LANES) {
        uint own_region = side_of(i) == side ? region : other;
        if (patch_of(i) != NONE || raw[contact_at(i)].region != own_region || dot(seed_normal, normal_of(i)) < query.least_cosine)
            continue;
        set_patch(i, patch_number);
        float area = raw[contact_at(i)].area;
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
        RawContact c = raw[contact_at(i)];
        c.region = patch_of(i);
        contacts[first_contact() + i] = c;
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
    uint found = raw[query.raw_at].region;
    count = found > query.capacity ? 0 : found;
    if (count == 0) {
        if (lane() == 0) heads[query.answer_at] = ContactsHead(found, 0, 0, 0, NO_FORCE, NO_FORCE, NO_FORCE, NO_FORCE);
        return;
    }
    sort_by_key();
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
        vec3 own = raw[contact_at(i)].area * normal_of(i);
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
    heads[query.answer_at].raw = found;
    heads[query.answer_at].patches = patch_count;
    heads[query.answer_at].kept = written;
    heads[query.answer_at].left_out = uint(force.w);
    heads[query.answer_at].force = floats(force.xyz);
    heads[query.answer_at].torque = floats(torque.xyz);
    heads[query.answer_at].kept_force = floats(kept_force);
    heads[query.answer_at].kept_torque = floats(kept_torque);
}
