// Debug drawing: what Proxel sees, through functions of the engine's.
#ifndef PROXEL_DEBUG_DRAW_HPP
#define PROXEL_DEBUG_DRAW_HPP

#include <proxel/context.hpp>

#include <cstdint>

namespace proxel {
inline namespace PROXEL_MODE {

/// Derive from it, override what the engine can draw, and ask it to draw things:
///     struct Lines : proxel::DebugDraw { void line(const float* from, const float* to, std::uint32_t color) override { ... } };
///     Lines lines;
///     lines.mesh(context, cube).value();
/// What is overridden may call Proxel and must not throw.
class DebugDraw {
public:
    /// Colors, origin, scale and resolution. Its functions and `user` are set by each call.
    PrxDebugDraw options = prx_debug_draw_default();

    DebugDraw() = default;
    DebugDraw(const DebugDraw&) = default;
    DebugDraw& operator=(const DebugDraw&) = default;
    virtual ~DebugDraw() = default;

    /// Triangles and edges.
    Result<void> mesh(const Context& context, const Placed& mesh) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_mesh(context.handle(), mesh.mesh, &mesh.pose, &draw));
    }
    /// Boxes of clusters.
    Result<void> clusters(const Context& context, const Placed& mesh) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_clusters(context.handle(), mesh.mesh, &mesh.pose, &draw));
    }
    /// Boxes of one level of the hierarchy; UINT32_MAX for the leaves.
    Result<void> hierarchy(const Context& context, const Placed& mesh, std::uint32_t level) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_hierarchy(context.handle(), mesh.mesh, &mesh.pose, level, &draw));
    }
    /// Domain and surface.
    Result<void> field(const Context& context, const PlacedField& field) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_field(context.handle(), field.field, &field.pose, &draw));
    }
    /// Distances in a plane across an axis of the field's frame.
    Result<void> field_slice(const Context& context, const PlacedField& field, std::uint32_t axis, float at) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_field_slice(context.handle(), field.field, &field.pose, axis, at, &draw));
    }
    /// Points, normals and separations.
    Result<void> contacts(const Context& context, View<PrxContact> contacts) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_contacts(context.handle(), contacts.data, contacts.count, &draw));
    }
    /// Nearest points of pairs that were found between these meshes.
    Result<void> near(const Context& context, const Placed& a, const Placed& b, View<PrxNearPair> pairs) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_near(context.handle(), a.mesh, &a.pose, b.mesh, &b.pose, pairs.data, pairs.count, &draw));
    }
    /// Ways and places of impacts that were found between these meshes.
    Result<void> impacts(const Context& context, const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                         View<PrxFeatureImpact> impacts) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_impacts(context.handle(), a0.handle(), a1.handle(), b0.handle(), b1.handle(), impacts.data,
                                           impacts.count, &draw));
    }
    /// Parts of an intersection and the curves around them.
    Result<void> regions(const Context& context, const Intersection& intersection) {
        const PrxDebugDraw draw = functions();
        return done(prx_debug_draw_regions(context.handle(), intersection.handle(), &draw));
    }

protected:
    virtual void line(const float* /*from*/, const float* /*to*/, std::uint32_t /*color*/) {}
    virtual void triangle(const float* /*a*/, const float* /*b*/, const float* /*c*/, std::uint32_t /*color*/) {}
    virtual void point(const float* /*at*/, std::uint32_t /*color*/) {}
    virtual void text(const float* /*at*/, const char* /*text*/, std::uint32_t /*color*/) {}

private:
    PrxDebugDraw functions() {
        PrxDebugDraw draw = options;
        draw.user = this;
        draw.draw_line = [](void* self, const float* from, const float* to, std::uint32_t color) { static_cast<DebugDraw*>(self)->line(from, to, color); };
        draw.draw_triangle = [](void* self, const float* a, const float* b, const float* c, std::uint32_t color) {
            static_cast<DebugDraw*>(self)->triangle(a, b, c, color);
        };
        draw.draw_point = [](void* self, const float* at, std::uint32_t color) { static_cast<DebugDraw*>(self)->point(at, color); };
        draw.draw_text = [](void* self, const float* at, const char* text, std::uint32_t color) {
            static_cast<DebugDraw*>(self)->text(at, text, color);
        };
        return draw;
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_DEBUG_DRAW_HPP
