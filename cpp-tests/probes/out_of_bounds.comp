// Writes behind the range that is bound, on purpose: GPU-assisted validation must report it.
#version 450

layout(local_size_x = 1) in;

layout(set = 0, binding = 0) writeonly buffer Values { uint values[]; };

layout(push_constant) uniform Where { uint where; };

void main() { values[where] = 1; }
