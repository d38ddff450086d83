// Where every path of penalty answers: ANSWERS_BINDING.
#include "floats.glsl"
#include "penalty_result.glsl"

layout(std430, binding = ANSWERS_BINDING) writeonly buffer Answers { PenaltyAnswer answers[]; };
