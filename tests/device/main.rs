//! What needs a Vulkan device: one program, so that it is linked once.

mod support;

mod band;
mod beside;
mod bounds;
mod certificates;
mod clusters;
mod contact;
mod contacts;
mod contacts_truth;
mod containment;
mod counts;
mod damping;
mod exact;
mod exact_batches;
mod fields;
mod friction;
mod generators;
mod host;
mod live_fields;
mod overlap;
mod penalty;
mod proximity;
mod proximity_truth;
mod raster_paths;
mod raster_penalty;
mod scene;
mod scene_contacts;
mod slopes;
mod soft_contacts;
mod trials;
mod volume;
mod volume_certificate;
mod volume_gradients;
mod warm_up;
mod zero_misses;
