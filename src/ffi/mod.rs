//! The C ABI: handles, structs, statuses. No geometry and no Vulkan in here.
//!
//! Every export goes through `boundary::guarded`, so no panic reaches the host.

mod asking;
pub mod batch;
pub mod boundary;
pub mod comparators;
pub mod contacts;
mod containment;
pub mod context;
pub mod debug_draw;
pub mod enumeration;
pub mod exact;
pub mod exact_batch;
mod exact_intersection;
pub mod field;
pub mod field_file;
pub mod field_sample;
pub mod follower;
pub mod friction;
pub mod gradients;
pub mod handles;
pub mod impacts;
pub mod info;
mod intersection_boundary;
mod intersection_contacts;
mod layers;
pub mod memory;
pub mod mesh;
pub mod near;
pub mod output;
pub mod overlap;
pub mod penalty;
pub mod proximity;
pub mod scene;
pub mod scene_contacts;
pub mod scene_impacts;
pub mod soft_contacts;
mod status;
pub mod step_batch;
pub mod sweep;
pub mod tetrahedra;
pub mod timings;
pub mod tracker;
pub mod unity;
mod unity_plugin;
pub mod version;
pub mod volume;
