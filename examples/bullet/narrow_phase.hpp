// All pairs of a step at once: which points of one body are near or inside another's surface. Mostly one small batch a step.
#pragma once

#include "solid_shape.hpp"

namespace bullet {

// A point of one body and what the field of the other says there, in the world.
struct Touch {
    std::uint32_t point = 0; // its number in the cloud
    btVector3 where;
    btVector3 normal;      // outwards from the field's body
    btScalar distance = 0; // negative inside
};

// What is known of a cloud and a field from earlier steps. A distance changes by no more than the bodies moved since it was
// measured, so what was far away need not be looked at for a while.
class Memory {
public:
    // How far the cloud moved in the field's frame; everything measured so far is worth that much less.
    void move(const btTransform& into_field, const Cloud& cloud);

    // Whether a group or point can be within reach by now.
    bool group_may_reach(std::size_t group, btScalar reach) const { return groups_[group] - way_ <= reach; }
    bool point_may_reach(std::size_t point, btScalar reach) const { return points_[point] - way_ <= reach; }
    // Whether the points of a group were ever measured.
    bool knows_points(const Cloud::Group& group) const { return points_[group.first] > -SIMD_INFINITY; }

    void learn_group(std::size_t group, btScalar lower) { groups_[group] = lower + way_; }
    void learn_point(std::size_t point, btScalar lower) { points_[point] = lower + way_; }
    // A group is as near as its nearest point.
    void learn_group_from_points(std::size_t group, const Cloud& cloud);

private:
    bool started_ = false;
    btTransform last_ = btTransform::getIdentity();
    double way_ = 0;
    // Each number is the distance when it was measured plus the way that had been made by then.
    std::vector<double> groups_;
    std::vector<double> points_;
};

class NarrowPhase {
public:
    explicit NarrowPhase(const proxel::Context& context) : batch_(context.batch().value()) {}

    // Asks for all points of `cloud` that are at most `reach` from the body of `field`; `out` is filled by answer(). Everything
    // referred to must live until then.
    struct Question {
        const proxel::Field* field;
        btTransform field_pose;
        btVector3 low, high; // the box of the field's body, in its own frame
        const Cloud* cloud;
        btTransform cloud_pose;
        btScalar reach;
        Memory* memory; // of this cloud and this field
        std::vector<Touch>* out;
    };
    void ask(const Question& question) { questions_.push_back(question); }

    void answer();

    // Points and middles of groups that were sampled since the start: for the log.
    std::uint64_t sampled() const { return sampled_; }

private:
    // A point of a cloud, or the middle of a group.
    struct Source {
        std::uint32_t question;
        std::uint32_t index;
        bool is_group;
    };
    // What one field is asked, whoever asks it.
    struct Sampling {
        const proxel::Field* field = nullptr;
        std::vector<cli::Vec3> points;
        std::vector<Source> sources;
        proxel::Ticket<std::vector<PrxSample>> ticket;
        std::vector<PrxSample> samples;
    };
    using Samplings = std::vector<Sampling>;

    static Sampling& sampling_of(Samplings& samplings, const proxel::Field* field);
    void ask_what_may_reach();
    void ask_points(Samplings& samplings, std::uint32_t question, std::uint32_t group);
    void sample(Samplings& samplings);
    void take(const Sampling& sampling);
    void touch(const Source& source, cli::Vec3 at, const PrxSample& sample) const;

    proxel::Batch batch_;
    std::vector<Question> questions_;
    Samplings first_;
    Samplings second_; // points of groups that have come near
    std::vector<Source> looked_into_; // groups whose points were asked for
    std::uint64_t sampled_ = 0;
};

} // namespace bullet
