// Pictures show what is there: coverage, depth, shadow and colour against answers known beforehand.
#include "tests/check.hpp"

#include "failure.hpp"
#include "mesh/shapes.hpp"
#include "picture/camera.hpp"
#include "picture/contact_marks.hpp"
#include "picture/corner_normals.hpp"
#include "picture/scan_triangle.hpp"
#include "picture/sheet.hpp"
#include "picture/sky.hpp"
#include "picture/text.hpp"

#include <random>

using namespace cli;

namespace {

constexpr double pi = 3.14159265358979323846;

TEST_CASE("shared edges are drawn once") {
    // Random fans around a point inside a square cover each of its pixels exactly once.
    std::mt19937 random(5);
    std::uniform_real_distribution<float> inside(2.0f, 30.0f);
    for (int round = 0; round < 200; ++round) {
        const ScreenPoint hub{round == 0 ? 16.5f : inside(random), round == 0 ? 16.5f : inside(random), 0.0f};
        const ScreenPoint corners[] = {{0, 0, 0}, {32, 0, 0}, {32, 32, 0}, {0, 32, 0}};
        std::vector<int> hits(32 * 32, 0);
        for (int i = 0; i < 4; ++i) {
            scan_triangle({hub, corners[i], corners[(i + 1) % 4]}, 32, 0, 32, [&](int x, int y, Weights w) {
                ++hits[static_cast<std::size_t>(y * 32 + x)];
                CHECK((w.a >= -1e-3f && w.b >= -1e-3f && w.c >= -1e-3f));
            });
        }
        CHECK(std::all_of(hits.begin(), hits.end(), [](int n) { return n == 1; }));
    }
}

TEST_CASE("weights interpolate") {
    const std::array<ScreenPoint, 3> p{ScreenPoint{1, 2, 3}, {60, 9, 5}, {20, 50, 11}};
    for (const bool flipped : {false, true}) {
        const std::array<ScreenPoint, 3> q{p[0], flipped ? p[2] : p[1], flipped ? p[1] : p[2]};
        scan_triangle(q, 64, 0, 64, [&](int x, int y, Weights w) {
            CHECK_NEAR(w.of(q[0].x, q[1].x, q[2].x), x + 0.5, 1e-3);
            CHECK_NEAR(w.of(q[0].y, q[1].y, q[2].y), y + 0.5, 1e-3);
        });
    }
}

TEST_CASE("cameras invert") {
    for (const bool perspective : {false, true}) {
        const Mesh mesh = knot(500);
        const Camera camera(mesh.positions, {0.3f, 0.5f, 1.0f}, perspective, 640.0f, 480.0f);
        float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
        for (const Vec3 p : mesh.positions) {
            const ScreenPoint s = camera.project(p);
            CHECK_NEAR(length(camera.unproject(s) - p), 0.0, 1e-4);
            left = std::min(left, s.x);
            right = std::max(right, s.x);
            top = std::min(top, s.y);
            bottom = std::max(bottom, s.y);
        }
        CHECK((left > -0.1f && right < 640.1f && top > -0.1f && bottom < 480.1f));
        CHECK((right - left > 639.0f || bottom - top > 479.0f)); // it fills the screen one way
        CHECK(camera.project(mesh.positions[0] + camera.back()).depth < camera.project(mesh.positions[0]).depth);
    }
}

TEST_CASE("normals know creases") {
    const Mesh cube = box(12);
    const auto sharp = corner_normals(cube.positions, cube.triangles);
    for (std::size_t t = 0; t < cube.triangles.size(); ++t) {
        const Triangle& i = cube.triangles[t];
        const Vec3 face =
            normalised(cross(cube.positions[i[1]] - cube.positions[i[0]], cube.positions[i[2]] - cube.positions[i[0]]));
        for (const Vec3 n : sharp[t]) CHECK_NEAR(dot(n, face), 1.0, 1e-6);
    }
    const Mesh ball = sphere(2000);
    const auto round = corner_normals(ball.positions, ball.triangles);
    for (std::size_t t = 0; t < ball.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) CHECK(dot(round[t][k], ball.positions[ball.triangles[t][k]]) > 0.999f);
    }
}

double covered(const Image& image) {
    long count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y)[2] < 250 ? 1 : 0;
    }
    return static_cast<double>(count);
}

TEST_CASE("spheres are discs") {
    const Mesh ball = sphere(20000);
    View view;
    view.perspective = false;
    view.surfaces = {{&ball, {}, palette::amber, 1.0f, {}}};
    Image image(200, 200, palette::paper);
    render(view, image, {0, 0, 200, 200});
    // The disc that touches all four sides; its rim is blurred over a pixel.
    CHECK_NEAR(covered(image) / (pi / 4.0 * 200.0 * 200.0), 1.0, 0.012);

    view.surfaces[0].pose.translation = {1e30f, 1e30f, 1e30f};
    view.surfaces[0].pose.translation = view.surfaces[0].pose.translation * 1e30f;
    bool refused = false;
    try {
        render(view, image, {0, 0, 200, 200});
    } catch (const Failure&) {
        refused = true;
    }
    CHECK(refused);
}

bool is_reddish(const std::uint8_t* p) { return p[0] > p[1] + 90 && p[0] > p[2] + 90; }

TEST_CASE("the nearest is seen") {
    const Mesh ball = sphere(2000);
    View view;
    view.perspective = true;
    view.towards_eye = {0, 0, 1};
    view.surfaces = {{&ball, {}, palette::blue, 1.0f, {}}, {&ball, {{0, 0, 3}, {}, 1.0f}, palette::red, 1.0f, {}}};
    Image image(100, 100, palette::paper);
    render(view, image, {0, 0, 100, 100});
    CHECK(is_reddish(image.pixel(50, 50)));
    std::swap(view.surfaces[0].colour, view.surfaces[1].colour);
    render(view, image, {0, 0, 100, 100});
    CHECK(!is_reddish(image.pixel(50, 50)));

    // A mark before a surface hides it, one behind only shines through, one behind glass is tinted.
    view.surfaces.resize(1);
    view.surfaces[0].colour = palette::blue;
    const auto middle_with_dot_at = [&](float z, float opacity) {
        view.surfaces[0].opacity = opacity;
        view.marks = {{Mark::Kind::dot, {0, 0, z}, {}, palette::red, 20.0f}};
        render(view, image, {0, 0, 100, 100});
        return static_cast<int>(image.pixel(50, 50)[0]) - static_cast<int>(image.pixel(50, 50)[2]);
    };
    const int before = middle_with_dot_at(1.5f, 1.0f);
    const int glass = middle_with_dot_at(0.0f, 0.3f);
    const int behind = middle_with_dot_at(-0.5f, 1.0f);
    CHECK((before > glass && glass > behind));
    CHECK(is_reddish(image.pixel(50, 50)) == false);
}

TEST_CASE("plates cast shadows") {
    // A point on a floor under a wide plate sees less light than one in the open.
    Mesh plate;
    plate.positions = {{-1, 0.2f, -1}, {1, 0.2f, -1}, {1, 0.2f, 1}, {-1, 0.2f, 1}};
    plate.triangles = {{0, 1, 2}, {0, 2, 3}};
    const std::vector<Vec3> extent{{-1.5f, 0, -1.5f}, {1.5f, 0.2f, 1.5f}};
    const Camera camera(extent, {0, 0.4f, 1}, false, 100, 100);
    const Sky open(camera, plate.positions, plate.triangles, 0);
    const Sky roofed(camera, plate.positions, plate.triangles, 2);
    float without = 0.0f;
    float with = 0.0f;
    for (int group = 0; group < Sky::groups; ++group) {
        without += open.light_at({0, 0, 0}, {0, 1, 0}, group).g;
        with += roofed.light_at({0, 0, 0}, {0, 1, 0}, group).g;
    }
    // The plate hides all but 1 / (1 + (1 / 0.2)^2), 4 %, of the sky, and all of the key light.
    CHECK(with < 0.15f * without);
    CHECK((without / Sky::groups > 0.6f && without / Sky::groups < 1.3f));
}

TEST_CASE("colours are even") {
    const auto lightness = [](Colour c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; };
    float last = 2.0f;
    for (float t = 0.0f; t <= 1.0f; t += 0.05f) {
        const float warm = lightness(diverging_colour(-t));
        const float cold = lightness(diverging_colour(t));
        CHECK(cold < last);
        CHECK_NEAR(warm, cold, 0.05); // neither side outshines the other
        last = cold;
    }
    for (float range = 1e-5f; range < 1e5f; range *= 1.37f) {
        const double lines = static_cast<double>(range / contour_step(range));
        const double digits =
            std::pow(10.0, std::fmod(std::log10(static_cast<double>(contour_step(range))) + 20.0, 1.0));
        CHECK((lines > 5.0 && lines < 15.0));
        CHECK(std::min({std::fabs(digits - 1.0), std::fabs(digits - 2.0), std::fabs(digits - 5.0),
                        std::fabs(digits - 10.0)}) < 1e-4);
    }
}

TEST_CASE("zero contours lie at zero") {
    // The field x - 0.25 over [-1, 1]: the heavy line is at 5/8 of the width.
    Slice slice;
    slice.columns = slice.rows = 64;
    slice.width = slice.height = 2.0f;
    for (int i = 0; i < 64 * 64; ++i)
        slice.values.push_back((static_cast<float>(i % 64) + 0.5f) / 32.0f - 1.0f - 0.25f);
    Image image(500, 400, palette::paper);
    render(slice, image, {0, 0, 500, 400});
    int first = 500, last = -1, dark = 0;
    double sum = 0.0;
    for (int x = 0; x < 500; ++x) {
        const int brightness = image.pixel(x, 200)[0] + image.pixel(x, 200)[1] + image.pixel(x, 200)[2];
        const bool field = x < 420 && brightness < 764;
        if (field) first = std::min(first, x);
        if (field) last = std::max(last, x);
        if (brightness < 200) ++dark;
        if (brightness < 200) sum += x + 0.5;
    }
    CHECK((dark >= 1 && dark <= 5));
    CHECK_NEAR((sum / dark - first) / (last + 1 - first), 0.625, 0.006);
    slice.values.pop_back();
    bool refused = false;
    try {
        render(slice, image, {0, 0, 500, 400});
    } catch (const Failure&) {
        refused = true;
    }
    CHECK(refused);
}

TEST_CASE("words are as wide as said") {
    Image image(600, 60, palette::paper);
    const std::string text = "Proxel [0.25, 1e-3] Wgy~";
    draw_text(image, text, 10.0f, 40.0f, 21.0f, palette::ink);
    int first = 600, last = -1;
    for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 600; ++x) {
            if (image.pixel(x, y)[0] < 128) first = std::min(first, x);
            if (image.pixel(x, y)[0] < 128) last = std::max(last, x);
        }
    }
    CHECK_NEAR(first, 10.0, 1.5);
    CHECK_NEAR(last + 1 - first, text_width(text, 21.0f), 2.0);
    draw_text(image, "\xff\n off the paper", -50.0f, 2.0f, 300.0f, palette::ink); // must stay inside
}

TEST_CASE("sheets have room for all") {
    const Mesh ball = sphere(80);
    View view;
    view.title = "A title that is far too long for so small a panel";
    view.caption = "and a caption";
    view.legend = {{palette::blue, "one"}, {palette::red, "another that is long"}, {palette::green, "and a third one"}};
    view.surfaces = {{&ball, {}, palette::blue, 1.0f, {}}};
    const Image sheet = draw_sheet({view, view, view}, 2, 120, 90);
    CHECK((sheet.width() == 240 && sheet.height() == 180));
    CHECK(sheet.pixel(180, 150)[0] == 255);             // the fourth place stays empty
    CHECK(draw_sheet({view}, 9, 40, 30).width() == 40); // no room for the view under all those words
    Image small(20, 20, palette::paper);
    render(view, small, {15, -5, 30, 30}); // half outside
}

// How many pixels have about this colour, as a mark's shading may have it.
int pixels_like(const Image& image, Colour colour) {
    Image swatch(1, 1, colour);
    const std::uint8_t* want = swatch.pixel(0, 0);
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            int off = 0;
            for (int c = 0; c < 3; ++c) off = std::max(off, std::abs(image.pixel(x, y)[c] - want[c]));
            count += off < 16 ? 1 : 0;
        }
    }
    return count;
}

TEST_CASE("contacts have dots, normals and the colours of their patches") {
    // Two plates that face each other, 0.2 apart; two patches, one at either end.
    Mesh plate;
    plate.positions = {{-2, 0, -1}, {-2, 0, 1}, {2, 0, 1}, {2, 0, -1}};
    plate.triangles = {{0, 1, 2}, {0, 2, 3}};
    View view;
    view.towards_eye = {0, 0.3f, 1};
    view.perspective = false;
    view.surfaces = {{&plate, {}, palette::blue, 0.35f, {}}, {&plate, {{0, 0.2f, 0}, {}, 1.0f}, palette::amber, 0.35f, {}}};
    ContactMarks contacts;
    for (const float x : {-1.8f, -1.6f, 1.7f}) {
        contacts.points_a.push_back({x, 0, 0});
        contacts.points_b.push_back({x, 0.2f, 0});
        contacts.normals.push_back({0, 1, 0});
        contacts.patches.push_back(x < 0 ? 0 : 7);
    }
    mark_contacts(view, contacts);
    REQUIRE(view.legend.size() == 2);
    CHECK(view.legend[0].text == "patch 0: 2 contacts");
    CHECK(view.legend[1].text == "patch 7: 1 contact");
    for (const Mark& mark : view.marks) {
        if (mark.kind != Mark::Kind::arrow) continue;
        CHECK(mark.to.y > mark.from.y); // along the normal, from A to B
        CHECK(mark.to.x == mark.from.x);
    }
    Image image(400, 200, palette::paper);
    render(view, image, {0, 0, 400, 200});
    const int two = pixels_like(image, patch_colour(0)), one = pixels_like(image, patch_colour(7));
    CHECK(one > 10);
    CHECK(two > one);

    contacts.normals.pop_back();
    CHECK_THROWS_AS(mark_contacts(view, contacts), Failure);
    contacts = {};
    for (std::uint32_t i = 0; i < 9; ++i) {
        contacts.points_a.push_back({});
        contacts.points_b.push_back({});
        contacts.normals.push_back({0, 1, 0});
        contacts.patches.push_back(i);
    }
    View crowded;
    mark_contacts(crowded, contacts);
    CHECK(crowded.legend.size() == 7);
    CHECK(crowded.legend.back().text == "3 more");
}

TEST_CASE("patches can be told apart") {
    const auto stored = [](Colour c) { return std::array<float, 3>{srgb_from_linear(c.r), srgb_from_linear(c.g), srgb_from_linear(c.b)}; };
    for (std::uint32_t i = 0; i < 12; ++i) {
        for (std::uint32_t k = 0; k < i; ++k) {
            const auto a = stored(patch_colour(i)), b = stored(patch_colour(k));
            CHECK(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > 0.12f);
        }
    }
}

} // namespace
