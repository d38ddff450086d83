#include "narrow_phase.hpp"

#include <algorithm>

namespace bullet {
namespace {

cli::Vec3 point(const btVector3& p) { return {p.x(), p.y(), p.z()}; }

bool reaches(const btVector3& p, btScalar by, const btVector3& low, const btVector3& high) {
    for (int axis = 0; axis < 3; ++axis) {
        if (p[axis] < low[axis] - by || p[axis] > high[axis] + by) return false;
    }
    return true;
}

btTransform into_field(const NarrowPhase::Question& question) {
    return question.field_pose.inverseTimes(question.cloud_pose);
}

} // namespace

void Memory::move(const btTransform& into_field, const Cloud& cloud) {
    if (started_) {
        const btMatrix3x3 turn = last_.getBasis().transposeTimes(into_field.getBasis());
        const btScalar trace = turn[0][0] + turn[1][1] + turn[2][2];
        const btScalar chord = btSqrt(btMax(btScalar(0), 3 - trace)); // of a unit circle, for the angle of the turn
        const btScalar rounding = btScalar(1e-6) * (cloud.radius + into_field.getOrigin().length());
        way_ += last_.getOrigin().distance(into_field.getOrigin()) + chord * cloud.radius + rounding;
    } else {
        groups_.assign(cloud.groups.size(), -SIMD_INFINITY);
        points_.assign(cloud.points.size(), -SIMD_INFINITY);
        started_ = true;
    }
    last_ = into_field;
}

void Memory::learn_group_from_points(std::size_t group, const Cloud& cloud) {
    const auto first = points_.begin() + cloud.groups[group].first;
    groups_[group] = *std::min_element(first, first + cloud.groups[group].count);
}

void NarrowPhase::answer() {
    if (questions_.empty()) return;
    looked_into_.clear();
    ask_what_may_reach();
    sample(first_);
    for (Sampling& sampling : first_) take(sampling);
    if (std::any_of(second_.begin(), second_.end(), [](const Sampling& s) { return !s.points.empty(); })) {
        sample(second_);
        for (Sampling& sampling : second_) take(sampling);
    }
    for (const Source& group : looked_into_) {
        const Question& question = questions_[group.question];
        question.memory->learn_group_from_points(group.index, *question.cloud);
    }
    questions_.clear();
}

NarrowPhase::Sampling& NarrowPhase::sampling_of(Samplings& samplings, const proxel::Field* field) {
    for (Sampling& sampling : samplings) {
        if (sampling.field == field) return sampling;
    }
    samplings.push_back({});
    samplings.back().field = field;
    return samplings.back();
}

void NarrowPhase::ask_what_may_reach() {
    for (Samplings* samplings : {&first_, &second_}) {
        for (Sampling& sampling : *samplings) {
            sampling.points.clear();
            sampling.sources.clear();
        }
    }
    for (std::uint32_t q = 0; q < questions_.size(); ++q) {
        const Question& question = questions_[q];
        const btTransform into = into_field(question);
        question.memory->move(into, *question.cloud);
        for (std::uint32_t g = 0; g < question.cloud->groups.size(); ++g) {
            const Cloud::Group& group = question.cloud->groups[g];
            if (!question.memory->group_may_reach(g, question.reach)) continue;
            const btVector3 centre = into * group.centre;
            if (!reaches(centre, group.radius + question.reach, question.low, question.high)) continue;
            if (question.memory->knows_points(group)) {
                ask_points(first_, q, g);
            } else {
                Sampling& sampling = sampling_of(first_, question.field);
                sampling.points.push_back(point(centre));
                sampling.sources.push_back({q, g, true});
            }
        }
    }
}

void NarrowPhase::ask_points(Samplings& samplings, std::uint32_t q, std::uint32_t g) {
    const Question& question = questions_[q];
    const Cloud::Group& group = question.cloud->groups[g];
    Sampling& sampling = sampling_of(samplings, question.field);
    const btTransform into = into_field(question);
    for (std::uint32_t p = group.first; p < group.first + group.count; ++p) {
        if (!question.memory->point_may_reach(p, question.reach)) continue;
        sampling.points.push_back(point(into * question.cloud->points[p]));
        sampling.sources.push_back({q, p, false});
    }
    looked_into_.push_back({q, g, true});
}

// One query a field, one submission for all.
void NarrowPhase::sample(Samplings& samplings) {
    batch_.reset().value();
    for (Sampling& sampling : samplings) {
        if (!sampling.points.empty()) sampling.ticket = batch_.sample(*sampling.field, sampling.points).value();
        sampled_ += sampling.points.size();
    }
    batch_.submit().value();
    batch_.wait().value();
    for (Sampling& sampling : samplings) {
        sampling.samples.clear();
        if (!sampling.points.empty()) sampling.samples = batch_.read(sampling.ticket).value();
    }
}

// The middle of a group speaks for all of it: no point of it is nearer than its radius less.
void NarrowPhase::take(const Sampling& sampling) {
    for (std::size_t i = 0; i < sampling.samples.size(); ++i) {
        const Source source = sampling.sources[i];
        const Question& question = questions_[source.question];
        const PrxSample& sample = sampling.samples[i];
        if (source.is_group) {
            const btScalar lower = sample.lower - question.cloud->groups[source.index].radius;
            question.memory->learn_group(source.index, lower);
            if (lower <= question.reach) ask_points(second_, source.question, source.index);
        } else {
            question.memory->learn_point(source.index, sample.lower);
            if (sample.in_domain != 0 && sample.distance <= question.reach) touch(source, sampling.points[i], sample);
        }
    }
}

void NarrowPhase::touch(const Source& source, cli::Vec3 at, const PrxSample& sample) const {
    const Question& question = questions_[source.question];
    const btVector3 direction(sample.direction[0], sample.direction[1], sample.direction[2]);
    if (direction.isZero()) return; // on the medial axis no way is shorter than the others
    const btVector3 normal = question.field_pose.getBasis() * (sample.distance < 0 ? direction : -direction);
    question.out->push_back({source.index, question.field_pose * vector(at), normal, sample.distance});
}

} // namespace bullet
