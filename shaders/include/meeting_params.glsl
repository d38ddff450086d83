// How a mesh lies in the frame of a field: see meeting.glsl.
struct Meeting {
    vec4 rows[3];
    float shift;
    uint clusters;
    uint first;
    uint stride;
};
