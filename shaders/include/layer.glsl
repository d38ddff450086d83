// A stretch of a ray.
struct Layer {
    float from;
    float to;
    uint enters;
    uint leaves;
    int winding;
    uint pixel;
};
