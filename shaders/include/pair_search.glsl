// What the kernels share that search for pairs of triangles which may meet. Partner: query/pairs/search.rs.

struct PairSearch {
    // The second mesh in the frame of the first: three rows, each with its translation.
    float rows[12];
    // What placing rounds, in sums of magnitudes; 0 where nothing is moved or widened.
    float slack;
    // How far pairs may be apart, rounded up: 0 for those that meet.
    float within;
    uint clusters_a;
    uint clusters_b;
    // How positions lie in their buffers.
    uint first_a;
    uint stride_a;
    uint first_b;
    uint stride_b;
    // Vertices that only the engine has, of the first and of the second mesh.
    uint unseen_a;
    uint unseen_b;
    // The bits of the largest coordinate that is allowed.
    uint largest;
    // Room for pairs of clusters and for candidates.
    uint cluster_room;
    uint room;
    // How many there are.
    uint cluster_pairs;
    uint candidates;
    // Whether a position is no number, or too large.
    uint unfit;
};

// Devices may flush denormal numbers to zero: more than a few of them.
const float TINY = 1e-36;

struct Box {
    vec3 low;
    vec3 high;
};

bool touch(Box a, Box b) { return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high)); }
