// Fields tell the truth: baked, made from shapes and samples, sampled, certified, saved and loaded.
#include <cstdio>
#include <filesystem>

#include "field_truth.hpp"
#include "witness.hpp"

using namespace test;

namespace {

const Shape box = cube();
const Point half{0.5, 0.5, 0.5};

/// Cells of 1/8 around the unit cube: every node is a number that floats hold.
PrxFieldDef eighths(PrxStorage storage = PRX_STORAGE_DISTANCE, PrxPrecision precision = PRX_PRECISION_F32) {
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 0;
    def.cell_size = 0.125f;
    def.padding = 0.25f;
    def.storage = storage;
    def.precision = precision;
    return def;
}

struct Format {
    const char* name;
    PrxStorage storage;
    PrxPrecision precision;
};
const Format formats[] = {
    {"distance f32", PRX_STORAGE_DISTANCE, PRX_PRECISION_F32}, {"distance f16", PRX_STORAGE_DISTANCE, PRX_PRECISION_F16},
    {"direction f32", PRX_STORAGE_DIRECTION, PRX_PRECISION_F32}, {"direction f16", PRX_STORAGE_DIRECTION, PRX_PRECISION_F16},
    {"sparse f32", PRX_STORAGE_SPARSE, PRX_PRECISION_F32}, {"sparse f16", PRX_STORAGE_SPARSE, PRX_PRECISION_F16},
};

proxel::Field baked(const proxel::Context& context, const Shape& shape, const PrxFieldDef& def) {
    return test::baked(context, NEED(context.mesh(shape.positions, shape.triangles)), def);
}

bool same_bits(const std::vector<PrxSample>& a, const std::vector<PrxSample>& b) {
    return !a.empty() && a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(PrxSample)) == 0;
}

void a_cube_is_exact_at_every_node(const proxel::Context& context) {
    const proxel::Field field = baked(context, box, eighths());
    const PrxFieldInfo info = NEED(field.info());
    for (int axis = 0; axis < 3; ++axis) {
        CHECK_EQ(info.grid.nodes[axis], 13u);
        CHECK_EQ(info.grid.origin[axis], -0.25f);
    }
    CHECK_EQ(info.grid.cell_size, 0.125f);
    CHECK_EQ(info.storage, std::uint32_t{PRX_STORAGE_DISTANCE});
    CHECK_EQ(info.sign, std::uint32_t{PRX_SIGN_PSEUDONORMAL});
    CHECK(std::isinf(info.band));
    CHECK(info.device_bytes >= 13 * 13 * 13 * 4);
    const std::vector<float> stored = stored_distances(NEED(field.write()), info.grid);
    std::vector<Vec3> nodes;
    std::vector<double> exact;
    for_each_node(info.grid, [&](Point p, std::size_t) {
        nodes.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        exact.push_back(box_distance(p, half, half));
    });
    const std::vector<PrxSample> samples = NEED(field.sample(nodes));
    int wrong_bits = 0, wrong_sign = 0, far = 0, uncertain = 0, outside = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        wrong_bits += stored.at(i) != static_cast<float>(exact[i]);
        wrong_sign += std::signbit(samples[i].distance) != (exact[i] < 0) && std::fabs(exact[i]) > 1e-5;
        far += !(std::fabs(samples[i].distance - exact[i]) <= 1e-5);
        uncertain += !(samples[i].lower <= exact[i] && exact[i] <= samples[i].upper);
        outside += samples[i].in_domain != 1;
    }
    CHECK_EQ(wrong_bits, 0);
    CHECK_EQ(wrong_sign, 0);
    CHECK_EQ(far, 0);
    CHECK_EQ(uncertain, 0);
    CHECK_EQ(outside, 0);
}

void certificates_hold_in_every_format(const proxel::Context& context) {
    std::mt19937 random(21);
    for (const Format& format : formats) {
        const proxel::Field field = baked(context, box, eighths(format.storage, format.precision));
        const PrxFieldInfo info = NEED(field.info());
        CHECK_EQ(info.storage, std::uint32_t{format.storage});
        CHECK_EQ(info.precision, std::uint32_t{format.precision});
        const std::vector<Vec3> points = points_around(info.grid, 20000, 0, random);
        const std::vector<PrxSample> samples = NEED(field.sample(points));
        // Devices interpolate in steps of 1/256 of a cell or finer, along each axis; an interval is of use while it is not much
        // wider than the error bound itself.
        const double cell = format.storage == PRX_STORAGE_SPARSE ? 1.0 : 0.125;
        const double filter = std::sqrt(3.0) * cell / 256 * info.lipschitz;
        int uncertain = 0, beyond = 0, loose = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double exact = box_distance(widened(points[i]), half, half);
            uncertain += !(samples[i].lower <= exact && exact <= samples[i].upper);
            beyond += !(std::fabs(samples[i].distance - exact) <= info.error + filter);
            loose += !(samples[i].upper - samples[i].lower <= 4 * info.error + 0.1 * cell);
        }
        CHECK_MESSAGE((uncertain == 0 && beyond == 0 && loose == 0), format.name,
                      ": ", uncertain, " outside their interval, ", beyond, " beyond the bound, ", loose, " loose");
        // An interpolated distance is off by less than half the diagonal of a (coarse) cell, and by some on a cube.
        CHECK((info.error > 0 && info.error < (format.storage == PRX_STORAGE_SPARSE ? 1.0f : 0.125f)));
    }
}

/// Which way the face is that a point in front of it sees: 0 to 5, or -1 for a point that is too near to an edge or to
/// the surface for the field to be linear in all cells around it.
int face_in_front(Vec3 p) {
    const float at[3] = {p.x, p.y, p.z};
    int face = -1;
    for (int axis = 0; axis < 3; ++axis) {
        const float out = std::fabs(at[axis] - 0.5f) - 0.5f;
        if (out > -0.25f && (out < 0.125f || out > 0.25f || face >= 0)) return -1;
        if (out > 0) face = 2 * axis + (at[axis] > 0.5f);
    }
    return face;
}

void directions_lead_to_the_surface(const proxel::Context& context) {
    std::mt19937 random(22);
    for (const Format& format : formats) {
        const proxel::Field field = baked(context, box, eighths(format.storage, format.precision));
        const std::vector<Vec3> points = points_around(NEED(field.info()).grid, 20000, 0, random);
        const std::vector<PrxSample> samples = NEED(field.sample(points));
        int astray = 0, asked = 0, not_units = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const float* d = samples[i].direction;
            const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            not_units += !(length == 0 || std::fabs(length - 1) <= 1e-5);
            const int face = face_in_front(points[i]);
            if (face < 0) continue;
            ++asked;
            // 16-bit distances of up to 1/4 are off by 2^-13, so a difference over two cells turns by 2^-10.
            astray += !(std::fabs(d[face / 2] - (face % 2 == 1 ? -1 : 1)) <= 2e-3);
        }
        CHECK(asked > 200);
        CHECK_MESSAGE((astray == 0 && not_units == 0), format.name, ": ", astray, " lead astray, ", not_units, " are no unit vectors");
    }
}

void outside_the_domain_a_bound_is_told(const proxel::Context& context) {
    std::mt19937 random(23);
    for (const Format& format : formats) {
        const proxel::Field field = baked(context, box, eighths(format.storage, format.precision));
        const PrxGrid grid = NEED(field.info()).grid;
        const std::vector<Vec3> points = points_around(grid, 20000, 3, random);
        const std::vector<PrxSample> samples = NEED(field.sample(points));
        int wrong_side = 0, uncertain = 0, outside = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            bool inside = true;
            const float at[3] = {points[i].x, points[i].y, points[i].z};
            for (int axis = 0; axis < 3; ++axis) {
                const double last = grid.origin[axis] + double{grid.cell_size} * (grid.nodes[axis] - 1);
                inside = inside && at[axis] >= grid.origin[axis] && at[axis] <= last;
            }
            const double exact = box_distance(widened(points[i]), half, half);
            outside += !inside;
            wrong_side += (samples[i].in_domain == 1) != inside;
            uncertain += !(samples[i].lower <= exact && exact <= samples[i].upper && (inside || samples[i].lower > 0));
        }
        CHECK(outside > 19000);
        CHECK_MESSAGE((wrong_side == 0 && uncertain == 0), format.name, ": ", wrong_side, " of wrong side, ", uncertain, " uncertain");
    }
    const float far[] = {1e6f, -2e6f, 5e5f};
    const PrxSample sample = NEED(baked(context, box, eighths()).sample(far)).at(0);
    CHECK_EQ(sample.in_domain, 0u);
    CHECK_NEAR(sample.distance / box_distance({1e6, -2e6, 5e5}, half, half), 1, 1e-5);
}

void shapes_follow_their_formulas(const proxel::Context& context) {
    std::mt19937 random(24);
    for (PrxShapeKind kind : {PRX_SHAPE_KIND_SPHERE, PRX_SHAPE_KIND_BOX, PRX_SHAPE_KIND_CAPSULE, PRX_SHAPE_KIND_TORUS, PRX_SHAPE_KIND_PLANE}) {
        for (PrxStorage storage : {PRX_STORAGE_DISTANCE, PRX_STORAGE_DIRECTION}) {
            PrxShape shape = prx_shape_default();
            shape.kind = kind;
            shape.radius = 0.75f;
            shape.half_size[1] = 0.5f;
            PrxFieldDef def = prx_field_def_default();
            def.resolution = 24;
            def.storage = storage;
            const proxel::Field field = NEED(context.field_from_shape(shape, def));
            const PrxFieldInfo info = NEED(field.info());
            CHECK_EQ(info.sign, std::uint32_t{PRX_SIGN_GIVEN});
            const std::vector<float> stored = stored_distances(NEED(field.write()), info.grid);
            int wrong = 0, uncertain = 0;
            for_each_node(info.grid, [&](Point p, std::size_t i) {
                const double exact = shape_distance(shape, p);
                // One rounding to a float, and one of a number near zero.
                wrong += !(std::fabs(stored.at(i) - exact) <= 6e-8 * std::fabs(exact) + 1e-15);
            });
            const std::vector<Vec3> points = points_around(info.grid, 5000, 0, random);
            const std::vector<PrxSample> samples = NEED(field.sample(points));
            for (std::size_t i = 0; i < points.size(); ++i) {
                const double exact = shape_distance(shape, widened(points[i]));
                uncertain += !(samples[i].lower <= exact && exact <= samples[i].upper);
            }
            CHECK_EQ(wrong, 0);
            CHECK_EQ(uncertain, 0);
        }
    }
}

void samples_of_the_callers_are_kept(const proxel::Context& context) {
    // Trilinear interpolation reproduces what is linear: x - 2.
    const PrxGrid grid{{1, -1, 5}, 0.5f, {5, 3, 4}, 0};
    std::vector<float> distances, directions;
    for_each_node(grid, [&](Point p, std::size_t) {
        distances.push_back(static_cast<float>(p.x - 2));
        for (float d : {p.x < 2 ? 1.0f : -1.0f, 0.0f, 0.0f}) directions.push_back(d);
    });
    std::mt19937 random(25);
    const std::vector<Vec3> points = points_around(grid, 1000, 0, random);
    for (bool directed : {false, true}) {
        const proxel::Field field = NEED(context.field_from_samples(
            grid, distances, directed ? proxel::View<float>(directions) : proxel::View<float>(), 0));
        const PrxFieldInfo info = NEED(field.info());
        CHECK_EQ(info.error, 0.0f);
        CHECK_EQ(info.storage, std::uint32_t{directed ? PRX_STORAGE_DIRECTION : PRX_STORAGE_DISTANCE});
        CHECK(stored_distances(NEED(field.write()), grid) == distances);
        const std::vector<PrxSample> samples = NEED(field.sample(points));
        for (std::size_t i = 0; i < points.size(); ++i) {
            CHECK_NEAR(samples[i].distance, points[i].x - 2, 0.5 / 256 + 1e-5);
            CHECK((samples[i].lower <= points[i].x - 2.0 && points[i].x - 2.0 <= samples[i].upper));
            if (!directed) CHECK_NEAR(samples[i].direction[0], samples[i].distance < 0 ? 1 : -1, 1e-5);
        }
    }
    // Exact distances without a bound get the one that 1-Lipschitz functions have: sqrt(3)/2 of a cell.
    const proxel::Field field = NEED(context.field_from_samples(grid, distances));
    CHECK_NEAR(NEED(field.info()).error, 0.5 * std::sqrt(3.0) / 2, 1e-6);
    distances.pop_back();
    CHECK_REFUSED(context.field_from_samples(grid, distances), PRX_STATUS_INVALID_ARGUMENT, "59 distances");
}

void files_bring_the_same_bits_back(const proxel::Context& context) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("proxel-field-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder);
    std::mt19937 random(26);
    for (const Format& format : formats) {
        const proxel::Field field = baked(context, torus(24, 12), eighths(format.storage, format.precision));
        const PrxFieldInfo info = NEED(field.info());
        const std::vector<Vec3> points = points_around(info.grid, 3000, 0.2, random);
        const std::vector<PrxSample> samples = NEED(field.sample(points));
        const std::vector<std::uint8_t> file = NEED(field.write());
        const proxel::Field read = NEED(context.read_field(file));
        CHECK(same_bits(samples, NEED(read.sample(points))));
        CHECK(NEED(read.write()) == file);
        const PrxFieldInfo again = NEED(read.info());
        CHECK_EQ(std::memcmp(&info, &again, sizeof info), 0);

        const std::string path = (folder / "torus.prxf").string();
        NEED(field.save(path));
        CHECK_EQ(std::filesystem::file_size(path), file.size());
        CHECK(same_bits(samples, NEED(NEED(context.load_field(path)).sample(points))));

        // An NRRD has the distances alone, in single precision: dense ones come back as they were.
        const std::string nrrd = (folder / "torus.NRRD").string();
        NEED(field.save(nrrd));
        const proxel::Field imported = NEED(context.load_field(nrrd));
        const PrxFieldInfo plain = NEED(imported.info());
        CHECK_EQ(std::memcmp(&plain.grid, &info.grid, sizeof info.grid), 0);
        CHECK_EQ(plain.sign, std::uint32_t{PRX_SIGN_GIVEN});
        if (format.storage != PRX_STORAGE_SPARSE && format.precision == PRX_PRECISION_F32)
            CHECK(stored_distances(NEED(imported.write()), info.grid) == stored_distances(file, info.grid));
        std::filesystem::resize_file(nrrd, std::filesystem::file_size(nrrd) - 1);
        CHECK_REFUSED(context.load_field(nrrd), PRX_STATUS_INVALID_ARGUMENT, "bytes of samples");
    }
    CHECK_REFUSED(context.load_field((folder / "nothing.prxf").string()), PRX_STATUS_INVALID_ARGUMENT, "nothing.prxf");
    CHECK_REFUSED(baked(context, box, eighths()).save((folder / "no" / "where.prxf").string()),
                  PRX_STATUS_INVALID_ARGUMENT, "cannot write");
    std::filesystem::remove_all(folder);
}

void the_file_is_as_documented(const proxel::Context& context) {
    const proxel::Field field = baked(context, box, eighths(PRX_STORAGE_DIRECTION));
    const PrxFieldInfo info = NEED(field.info());
    const std::vector<std::uint8_t> file = NEED(field.write());
    // Two bounds on the error for each brick of eight cells, of which twelve cells make two along each axis.
    const std::uint64_t payload = 13 * 13 * 13 * 16 + 2 * 2 * 2 * 8;
    CHECK_EQ(file.size(), std::size_t{92 + payload});
    CHECK_EQ(std::memcmp(file.data(), "PRXFIELD", 8), 0);
    const std::uint32_t words[] = {2, info.storage, info.precision, info.sign};
    for (std::size_t i = 0; i < 4; ++i) CHECK_EQ(number_at<std::uint32_t>(file, 8 + 4 * i), words[i]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        CHECK_EQ(number_at<float>(file, 24 + 4 * axis), info.grid.origin[axis]);
        CHECK_EQ(number_at<std::uint32_t>(file, 40 + 4 * axis), info.grid.nodes[axis]);
    }
    CHECK_EQ(number_at<float>(file, 36), info.grid.cell_size);
    CHECK_EQ(number_at<std::uint64_t>(file, 52), std::uint64_t{0});
    CHECK_EQ(number_at<float>(file, 60), info.error);
    CHECK_EQ(number_at<float>(file, 68), info.lipschitz);
    CHECK_EQ(number_at<float>(file, 72), info.band);
    CHECK_EQ(number_at<std::uint64_t>(file, 76), payload);
    // The first node is at (-1/4, -1/4, -1/4): all distances come first, then all directions.
    CHECK_NEAR(number_at<float>(file, 92), std::sqrt(3.0) / 4, 1e-7);
    for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK_NEAR(number_at<float>(file, 92 + 13 * 13 * 13 * 4 + 4 * axis), 1 / std::sqrt(3.0), 1e-6);
}

void many_samples_share_a_submission(const proxel::Context& context) {
    std::mt19937 random(27);
    std::vector<proxel::Field> fields;
    for (const Format& format : formats) fields.push_back(baked(context, box, eighths(format.storage, format.precision)));
    proxel::Mesh mesh = NEED(context.mesh(box.positions, box.triangles));
    proxel::Batch batch = NEED(context.batch());
    std::vector<std::vector<Vec3>> points;
    std::vector<proxel::Ticket<std::vector<PrxSample>>> tickets;
    const std::size_t counts[] = {1, 63, 64, 65, 4097, 1000, 7, 512};
    for (std::size_t i = 0; i < std::size(counts); ++i) {
        points.push_back(points_around(NEED(fields[0].info()).grid, counts[i], 0.5, random));
        tickets.push_back(NEED(batch.sample(fields[i % fields.size()], points.back())));
    }
    const auto bounds = NEED(batch.bounds(mesh));
    NEED(batch.submit());
    CHECK_EQ(prx_batch_sample(batch.handle(), fields[0].handle(), nullptr, points[0].data(), 1, 12, &tickets[0].handle),
             PRX_STATUS_WRONG_STATE);
    NEED(batch.wait());
    for (std::size_t i = 0; i < std::size(counts); ++i) {
        const std::vector<PrxSample> samples = NEED(batch.read(tickets[i]));
        CHECK_EQ(samples.size(), counts[i]);
        CHECK(same_bits(samples, NEED(fields[i % fields.size()].sample(points[i]))));
    }
    CHECK_EQ(NEED(batch.read(bounds)).max[0], 1.0f);

    std::uint64_t count = 0;
    std::vector<PrxSample> room(63);
    room[0].in_domain = 99;
    CHECK_EQ(prx_batch_sample_result(batch.handle(), tickets[2].handle, room.data(), 63, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, std::uint64_t{64});
    CHECK_EQ(room[0].in_domain, 99u);
    CHECK_EQ(prx_batch_sample_result(batch.handle(), bounds.handle, room.data(), 63, &count), PRX_STATUS_INVALID_ARGUMENT);

    // Strides, and a field that goes while the batch is in flight.
    struct Vertex {
        float at[3], other[2];
    };
    std::vector<Vertex> wide;
    for (const Vec3& p : points[4]) wide.push_back({{p.x, p.y, p.z}, {NAN, NAN}});
    const std::vector<PrxSample> before = NEED(fields[0].sample(points[4]));
    NEED(batch.reset());
    const auto last = NEED(batch.sample(fields[0], wide));
    fields.clear();
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK(same_bits(NEED(batch.read(last)), before));
}

void the_same_input_gives_the_same_bits(const proxel::Context& context) {
    std::mt19937 random(28);
    const Shape ring = torus(60, 30);
    const std::vector<Vec3> points = points_around({{-1.5f, -1.5f, -0.5f}, 0.125f, {25, 25, 9}, 0}, 4000, 0.1, random);
    for (const Format& format : formats) {
        const proxel::Field a = baked(context, ring, eighths(format.storage, format.precision));
        const proxel::Field b = baked(context, ring, eighths(format.storage, format.precision));
        CHECK(NEED(a.write()) == NEED(b.write()));
        CHECK(same_bits(NEED(a.sample(points)), NEED(b.sample(points))));
        CHECK(same_bits(NEED(a.sample(points)), NEED(a.sample(points))));
    }
}

}  // namespace

TEST_CASE("field") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    a_cube_is_exact_at_every_node(context);
    certificates_hold_in_every_format(context);
    directions_lead_to_the_surface(context);
    outside_the_domain_a_bound_is_told(context);
    shapes_follow_their_formulas(context);
    samples_of_the_callers_are_kept(context);
    files_bring_the_same_bits_back(context);
    the_file_is_as_documented(context);
    many_samples_share_a_submission(context);
    the_same_input_gives_the_same_bits(context);
}
