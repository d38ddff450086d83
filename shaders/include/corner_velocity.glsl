// The velocity of a vertex beyond that of its body, along the axes of the field's frame. Needs drawing.glsl and `drawing`.
layout(std430, binding = 5) readonly buffer Velocities { float velocities[]; };

vec3 corner_velocity(uint vertex)
{
    if (drawing.has_velocities == 0) return vec3(0.0);
    vec3 v = vec3(velocities[3 * vertex], velocities[3 * vertex + 1], velocities[3 * vertex + 2]);
    return vec3(dot(drawing.meeting.rows[0].xyz, v), dot(drawing.meeting.rows[1].xyz, v), dot(drawing.meeting.rows[2].xyz, v));
}
