// Draws a view: which surface each sample of each pixel sees, how it is lit, and what lies before it.
#include "failure.hpp"
#include "picture/camera.hpp"
#include "picture/capsule.hpp"
#include "picture/corner_normals.hpp"
#include "picture/parallel.hpp"
#include "picture/scan_triangle.hpp"
#include "picture/sky.hpp"
#include "picture/view.hpp"

#include <algorithm>

namespace cli {
namespace {

constexpr int fineness = 3; // samples along each side of a pixel
static_assert(fineness * fineness == Sky::groups, "the samples of a pixel share out the lights");
constexpr int band_rows = 16; // pixels; a band's samples are all that is in memory at a time
constexpr float shine_through = 0.22f;
constexpr float through_glass = 0.65f;
constexpr float nothing = 1e30f;

// All surfaces in the world as one list, the opaque ones first.
struct World {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
    std::vector<std::uint32_t> surface_of; // for each triangle
    std::vector<std::uint32_t> within;     // for each triangle, its number in its own mesh
    std::size_t opaque = 0;                // how many triangles are

    explicit World(const View& view) {
        for (const bool wants_opaque : {true, false}) {
            for (std::size_t i = 0; i < view.surfaces.size(); ++i) {
                if ((view.surfaces[i].opacity >= 1.0f) == wants_opaque)
                    append(view.surfaces[i], static_cast<std::uint32_t>(i));
            }
            if (wants_opaque) opaque = triangles.size();
        }
    }

    void append(const Surface& surface, std::uint32_t number) {
        const auto base = static_cast<std::uint32_t>(positions.size());
        for (const Vec3 p : surface.mesh->positions) positions.push_back(place(surface.pose, p));
        for (std::size_t t = 0; t < surface.mesh->triangles.size(); ++t) {
            const Triangle& own = surface.mesh->triangles[t];
            triangles.push_back({own[0] + base, own[1] + base, own[2] + base});
            surface_of.push_back(number);
            within.push_back(static_cast<std::uint32_t>(t));
        }
    }
};

struct Fragment {
    float depth = nothing;
    std::uint32_t triangle = 0;
    Weights weights;
    std::uint32_t next = 0; // of the transparent fragments of a sample; 0 is the end
};

// The samples of some rows of the picture.
struct Band {
    int first_row = 0; // in samples
    int end_row = 0;
    std::vector<Fragment> solid;
    std::vector<std::uint32_t> first_glass;
    std::vector<Fragment> glass{Fragment{}};
    std::vector<CapsuleHit> marks;
};

class Renderer {
public:
    Renderer(const View& view, const std::vector<Vec3>& points, Rectangle where)
        : view_(view), where_(where), width_(where.width * fineness), height_(where.height * fineness), world_(view),
          camera_(points, view.towards_eye, view.perspective, static_cast<float>(width_), static_cast<float>(height_)),
          sky_(camera_, world_.positions, world_.triangles, world_.opaque),
          normals_(corner_normals(world_.positions, world_.triangles)) {
        for (const Vec3 p : world_.positions) screen_.push_back(camera_.project(p));
        for (const Mark& mark : view.marks) append_capsules(capsules_, mark, camera_, static_cast<float>(fineness));
        sort_into_bands();
    }

    void draw(Image& image) {
        for_each_in_parallel(bands_.size(), [&](std::size_t i) {
            Band band = scan_band(static_cast<int>(i));
            resolve(band, image);
        });
    }

private:
    void sort_into_bands() {
        bands_.resize(static_cast<std::size_t>((where_.height + band_rows - 1) / band_rows));
        const int most = static_cast<int>(bands_.size()) - 1;
        const auto band_of = [&](float y) {
            return std::clamp(static_cast<int>(y / static_cast<float>(band_rows * fineness)), 0, most);
        };
        for (std::size_t t = 0; t < world_.triangles.size(); ++t) {
            const auto p = corners(t);
            const auto [low, high] = std::minmax({p[0].y, p[1].y, p[2].y});
            for (int b = band_of(low); b <= band_of(high); ++b)
                bands_[static_cast<std::size_t>(b)].push_back(static_cast<std::uint32_t>(t));
        }
    }

    std::array<ScreenPoint, 3> corners(std::size_t t) const {
        const Triangle& triangle = world_.triangles[t];
        return {screen_[triangle[0]], screen_[triangle[1]], screen_[triangle[2]]};
    }

    Band scan_band(int number) const {
        Band band;
        band.first_row = number * band_rows * fineness;
        band.end_row = std::min(height_, band.first_row + band_rows * fineness);
        const auto samples = static_cast<std::size_t>(band.end_row - band.first_row) * static_cast<std::size_t>(width_);
        band.solid.resize(samples);
        band.first_glass.assign(samples, 0);
        band.marks.resize(samples);
        for (const std::uint32_t t : bands_[static_cast<std::size_t>(number)]) scan(band, t);
        for (const Capsule& capsule : capsules_) scan(band, capsule);
        return band;
    }

    std::size_t sample(const Band& band, int x, int y) const {
        return static_cast<std::size_t>(y - band.first_row) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }

    void scan(Band& band, std::uint32_t t) const {
        const auto p = corners(t);
        scan_triangle(p, width_, band.first_row, band.end_row, [&](int x, int y, Weights w) {
            const std::size_t at = sample(band, x, y);
            const float depth = w.of(p[0].depth, p[1].depth, p[2].depth);
            if (depth >= band.solid[at].depth) return;
            if (t < world_.opaque) {
                band.solid[at] = {depth, t, w, 0};
            } else {
                band.glass.push_back({depth, t, w, band.first_glass[at]});
                band.first_glass[at] = static_cast<std::uint32_t>(band.glass.size() - 1);
            }
        });
    }

    void scan(Band& band, const Capsule& capsule) const {
        const int top = std::max(band.first_row, static_cast<int>(capsule.top()));
        const int bottom = std::min(band.end_row - 1, static_cast<int>(capsule.bottom()));
        const int left = std::max(0, static_cast<int>(capsule.left()));
        const int right = std::min(width_ - 1, static_cast<int>(capsule.right()));
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) {
                const CapsuleHit hit =
                    hit_capsule(capsule, camera_, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
                CapsuleHit& nearest = band.marks[sample(band, x, y)];
                if (hit.hit && (!nearest.hit || hit.depth < nearest.depth)) nearest = hit;
            }
        }
    }

    struct Shaded {
        Colour colour;
        float opacity = 1.0f;
    };

    Shaded shade(const Fragment& fragment, int x, int y) const {
        const std::size_t t = fragment.triangle;
        const Surface& surface = view_.surfaces[world_.surface_of[t]];
        const Triangle& triangle = world_.triangles[t];
        const Vec3 a = world_.positions[triangle[0]];
        const Vec3 face = cross(world_.positions[triangle[1]] - a, world_.positions[triangle[2]] - a);
        const Vec3 point =
            camera_.unproject({static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, fragment.depth});
        const Vec3 to_eye = camera_.towards_eye(point);
        const bool from_behind = dot(face, to_eye) < 0.0f;
        const auto& n = normals_[t];
        const Vec3 normal = normalised(fragment.weights.of(n[0], n[1], n[2])) * (from_behind ? -1.0f : 1.0f);

        const bool own_colours = world_.within[t] < surface.triangle_colours.size();
        const Colour albedo = own_colours ? surface.triangle_colours[world_.within[t]] : surface.colour;
        const Colour light = sky_.light_at(point, normal, (y % fineness) * fineness + x % fineness);
        const float grazing = std::pow(1.0f - std::clamp(dot(normal, to_eye), 0.0f, 1.0f), 3.0f);
        Shaded shaded;
        shaded.colour = albedo * light * (from_behind ? 0.8f : 1.0f) + Colour{1.0f, 1.0f, 1.0f} * (0.05f * grazing);
        // Glass is clearer where one looks straight through it.
        shaded.opacity = surface.opacity + (1.0f - surface.opacity) * 0.6f * grazing;
        return shaded;
    }

    Colour colour_of(const Band& band, int x, int y) const {
        const std::size_t at = sample(band, x, y);
        const CapsuleHit& mark = band.marks[at];
        const Fragment& solid = band.solid[at];
        const bool mark_in_front = mark.hit && mark.depth < solid.depth;
        Colour colour = palette::paper;
        if (mark_in_front) colour = mark.colour;
        else if (solid.depth < nothing) colour = shade(solid, x, y).colour;

        std::vector<const Fragment*> panes;
        const float depth = mark_in_front ? mark.depth : solid.depth;
        for (std::uint32_t i = band.first_glass[at]; i != 0; i = band.glass[i].next) {
            if (band.glass[i].depth < depth) panes.push_back(&band.glass[i]);
        }
        std::sort(panes.begin(), panes.end(), [](const Fragment* l, const Fragment* r) {
            return std::make_pair(l->depth, l->triangle) > std::make_pair(r->depth, r->triangle);
        });
        for (const Fragment* pane : panes) {
            const Shaded shaded = shade(*pane, x, y);
            colour = mix(colour, shaded.colour, shaded.opacity);
        }
        // Through glass it keeps most of its colour, which tells what it is.
        return mark.hit ? mix(colour, mark.colour, mark_in_front ? through_glass : shine_through) : colour;
    }

    void resolve(const Band& band, Image& image) const {
        for (int y = band.first_row / fineness; y < band.end_row / fineness; ++y) {
            for (int x = 0; x < where_.width; ++x) {
                Colour sum;
                for (int i = 0; i < fineness * fineness; ++i) {
                    const Colour c = colour_of(band, x * fineness + i % fineness, y * fineness + i / fineness);
                    sum = sum + Colour{std::min(c.r, 1.0f), std::min(c.g, 1.0f), std::min(c.b, 1.0f)};
                }
                image.set(where_.x + x, where_.y + y, sum * (1.0f / (fineness * fineness)));
            }
        }
    }

    const View& view_;
    Rectangle where_;
    int width_;
    int height_;
    World world_;
    Camera camera_;
    Sky sky_;
    std::vector<std::array<Vec3, 3>> normals_;
    std::vector<ScreenPoint> screen_;
    std::vector<Capsule> capsules_;
    std::vector<std::vector<std::uint32_t>> bands_;
};

} // namespace

void render(const View& view, Image& image, Rectangle where) {
    std::vector<Vec3> points;
    for (const Surface& surface : view.surfaces) {
        for (const Vec3 p : surface.mesh->positions) points.push_back(place(surface.pose, p));
    }
    for (const Mark& mark : view.marks) {
        points.push_back(mark.from);
        points.push_back(mark.kind == Mark::Kind::dot ? mark.from : mark.to);
    }
    if (points.empty() || !std::all_of(points.begin(), points.end(), is_finite)) {
        throw Failure("the picture cannot be drawn: there is nothing to see, or a pose puts it at no finite place.");
    }
    Renderer(view, view.framed.empty() ? points : view.framed, where).draw(image);
}

} // namespace cli
