// The force of a sample. Needs penalty.glsl.

vec3 turned(vec3 v)
{
    return vec3(dot(query.meeting.rows[0].xyz, v), dot(query.meeting.rows[1].xyz, v), dot(query.meeting.rows[2].xyz, v));
}

// The force on the field's body at q, for a sample at p with its own velocity (equations 4 to 6).
vec3 force_at(vec3 p, vec3 q, vec3 towards, float depth, vec3 own)
{
    vec3 vp = query.mesh_linear.xyz + cross(query.mesh_angular.xyz, p) + own;
    vec3 vq = query.field_linear.xyz + cross(query.field_angular.xyz, q);
    vec3 relative = vp - vq;
    vec3 normal = dot(relative, towards) * towards;
    vec3 tangential = relative - normal;
    vec3 penalty = -query.stiffness * depth * towards + query.damping * normal;
    float speed = length(tangential);
    return speed > 0.0 ? penalty + query.friction * length(penalty) / speed * tangential : penalty;
}
