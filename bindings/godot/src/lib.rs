//! Proxel in Godot 4, as a GDExtension: contacts, distances, forces, volumes and near lists of Godot's meshes, from GDScript.
//!
//! [`body::ProxelBody`] is a node that has a mesh as Proxel has it, [`singleton::Proxel`] asks about two of them, and
//! [`pair::ProxelPair`] follows the contacts of two from step to step. Every call goes through Proxel's C functions, which check what
//! they are given; what fails is a message in Godot's output and an empty answer.

mod answers;
mod body;
mod device;
mod native;
mod pair;
mod queries;
mod singleton;
mod surface;

use godot::prelude::*;

struct ProxelExtension;

// SAFETY: the library has one entry, and nothing of it runs outside of Godot's calls.
#[gdextension(entry_symbol = proxel_godot)]
unsafe impl ExtensionLibrary for ProxelExtension {
    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            device::close();
        }
    }
}
