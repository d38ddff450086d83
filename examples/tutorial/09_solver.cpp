#include "cube.hpp"

#include <proxel.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

struct Vec {
    double x = 0, y = 0, z = 0;
    Vec operator+(Vec b) const { return {x + b.x, y + b.y, z + b.z}; }
    Vec operator-(Vec b) const { return {x - b.x, y - b.y, z - b.z}; }
    Vec operator*(double s) const { return {x * s, y * s, z * s}; }
};
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// A cube: its inertia is the same about every axis, which keeps the solver short. The floor has neither.
struct Body {
    PrxObject object;
    Vec position, velocity, spin;
    double rotation[4] = {0, 0, 0, 1};
    double inverse_mass = 0, inverse_inertia = 0;

    Vec velocity_at(Vec arm) const { return velocity + cross(spin, arm); }
    void push(Vec impulse, Vec arm) {
        velocity = velocity + impulse * inverse_mass;
        spin = spin + cross(arm, impulse) * inverse_inertia;
    }
    double give(Vec arm, Vec along) const {  // velocity along a direction for a unit of impulse
        const Vec turn = cross(arm, along);
        return inverse_mass + inverse_inertia * dot(turn, turn);
    }
    void advance(double step) {
        position = position + velocity * step;
        const double *q = rotation, h = step / 2;
        const double turned[4] = {q[0] + h * (spin.x * q[3] + spin.y * q[2] - spin.z * q[1]), q[1] + h * (spin.y * q[3] + spin.z * q[0] - spin.x * q[2]),
                                  q[2] + h * (spin.z * q[3] + spin.x * q[1] - spin.y * q[0]), q[3] - h * (spin.x * q[0] + spin.y * q[1] + spin.z * q[2])};
        const double length = std::sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3]);
        for (int i = 0; i < 4; ++i) rotation[i] = turned[i] / length;
    }
    PrxBodyPose pose() const {
        const auto f = [&](int i) { return static_cast<float>(rotation[i]); };
        return {{position.x, position.y, position.z}, {f(0), f(1), f(2), f(3)}};
    }
};

// One contact while its step is solved.
struct Row {
    Body *a, *b;
    Vec normal, arm_a, arm_b;
    double target;       // how fast the bodies may approach, or must part
    double impulse = 0;  // along the normal
    Vec friction = {};   // across it

    void push(Vec impulse) const {
        a->push(impulse * -1, arm_a);
        b->push(impulse, arm_b);
    }
    Vec approach() const { return b->velocity_at(arm_b) - a->velocity_at(arm_a); }
    void solve(double mu) {
        const double before = impulse;
        impulse = std::max(0.0, impulse + (target - dot(approach(), normal)) / (a->give(arm_a, normal) + b->give(arm_b, normal)));
        push(normal * (impulse - before));

        const Vec slip = approach() - normal * dot(approach(), normal);
        const double speed = std::sqrt(dot(slip, slip));
        if (speed < 1e-12) return;
        const Vec along = slip * (1 / speed);
        Vec wanted = friction - along * (speed / (a->give(arm_a, along) + b->give(arm_b, along)));
        const double size = std::sqrt(dot(wanted, wanted));
        if (size > mu * impulse) wanted = wanted * (mu * impulse / size);
        push(wanted - friction);
        friction = wanted;
    }
};

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();
    proxel::Field field = context.bake(cube).value();
    field.wait().value();
    proxel::Scene scene = context.scene().value();

    std::vector<Body> bodies(4);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        PrxBody body = proxel::body(cube, field);
        if (i == 0) body.scale = 10;
        bodies[i].position = i == 0 ? Vec{0, -10, 0} : Vec{0.1 * i, 2.5 * i - 1, 0};
        if (i > 0) bodies[i].inverse_mass = 1, bodies[i].inverse_inertia = 1.5;  // m a^2 / 6 with a = 2
        bodies[i].object = scene.add(body).value();
    }

    constexpr double step = 1.0 / 120, slop = 0.002;
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = 0.02f;
    for (int frame = 0; frame < 240; ++frame) {
        for (Body& body : bodies)
            if (body.inverse_mass > 0) body.velocity.y -= 9.81 * step;
        for (const Body& body : bodies) scene.move(body.object, body.pose()).value();
        proxel::SceneContacts now = scene.contacts(def).value();

        std::vector<Row> rows;
        for (const PrxContactPair& pair : now.pairs) {
            const auto of = [&](PrxObject object) { return &*std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.object.id == object.id; }); };
            for (std::uint32_t i = 0; i < pair.manifold.contacts; ++i) {
                const PrxContact& c = now.contacts[pair.first_contact + i];
                Row row{of(pair.object_a), of(pair.object_b), {c.normal[0], c.normal[1], c.normal[2]}, {}, {}, 0};
                row.arm_a = Vec{c.world_a[0], c.world_a[1], c.world_a[2]} - row.a->position;
                row.arm_b = Vec{c.world_b[0], c.world_b[1], c.world_b[2]} - row.b->position;
                row.target = c.separation > 0 ? -c.separation / step : 0.2 * std::max(0.0, -c.separation - slop) / step;
                std::memcpy(&row.impulse, &c.user, sizeof row.impulse);  // what it took in the last step is a good start
                row.push(row.normal * row.impulse);
                rows.push_back(row);
            }
        }
        for (int turn = 0; turn < 30; ++turn)
            for (Row& row : rows) row.solve(0.5);

        std::vector<std::uint64_t> users(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(&users[i], &rows[i].impulse, sizeof users[i]);
        scene.set_users(users).value();
        for (Body& body : bodies) body.advance(step);
    }
    for (std::size_t i = 1; i < bodies.size(); ++i)
        std::printf("crate %zu rests at height %.2f, speed %.2f\n", i, bodies[i].position.y, std::sqrt(dot(bodies[i].velocity, bodies[i].velocity)));
}
