//! `Proxel` in GDScript.

use crate::answers;
use crate::body::ProxelBody;
use crate::device::{self, told};
use crate::native::{
    PRX_IMPACT_KIND_EDGE_EDGE, PRX_IMPACT_KIND_FACE_VERTEX, PRX_IMPACT_KIND_VERTEX_FACE,
};
use crate::queries::{Springs, Two};
use godot::classes::Object;
use godot::prelude::*;

/// Asks about two bodies. Lengths are in world units, points and directions in the world. An answer is empty where it could not be given, and
/// `last_error()` says why.
#[derive(GodotClass)]
#[class(init, singleton)]
pub struct Proxel {
    base: Base<Object>,
}

#[godot_api]
impl Proxel {
    /// A vertex of `a` and a triangle of `b`, in `near`.
    #[constant]
    const VERTEX_FACE: i32 = PRX_IMPACT_KIND_VERTEX_FACE as i32;
    /// A triangle of `a` and a vertex of `b`.
    #[constant]
    const FACE_VERTEX: i32 = PRX_IMPACT_KIND_FACE_VERTEX as i32;
    /// An edge of each, by its two vertices.
    #[constant]
    const EDGE_EDGE: i32 = PRX_IMPACT_KIND_EDGE_EDGE as i32;

    /// Opens a device by a part of its name, "host" for the processor alone, "" for the best. Without it, the first question opens the best.
    #[func]
    fn open(&self, device: GString) -> bool {
        told(device::open(&device.to_string()).map(|_| true))
    }

    /// The name of the device, which this opens if none is open.
    #[func]
    fn device_name(&self) -> GString {
        told(device::name().map(|name| GString::from(&name)))
    }

    /// Why the last call that failed did.
    #[func]
    fn last_error(&self) -> GString {
        GString::from(&device::last_error())
    }

    /// Where two bodies touch, or are closer than `distance`. To know contacts again in the next step use a ProxelPair.
    #[func]
    fn contacts(
        &self,
        mut a: Gd<ProxelBody>,
        mut b: Gd<ProxelBody>,
        #[opt(default = 0.0)] distance: f64,
    ) -> VarDictionary {
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.contacts(distance as f32, &[]))
                .map(|found| answers::contacts(&found)),
        )
    }

    /// The point of `b` that is nearest to `a` or deepest in it, by the field of `a`: negative inside.
    #[func]
    fn proximity(&self, mut a: Gd<ProxelBody>, mut b: Gd<ProxelBody>) -> VarDictionary {
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.proximity())
                .map(|found| answers::proximity(&found)),
        )
    }

    /// Forces and torques about the nodes' origins that push the bodies apart, integrated over the part of `b` that is inside of `a`.
    #[func]
    fn penalty(
        &self,
        mut a: Gd<ProxelBody>,
        mut b: Gd<ProxelBody>,
        #[opt(default = 1.0)] stiffness: f64,
        #[opt(default = 0.0)] damping: f64,
        #[opt(default = 0.0)] friction: f64,
    ) -> VarDictionary {
        let springs = Springs {
            stiffness: stiffness as f32,
            damping: damping as f32,
            friction: friction as f32,
        };
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.penalty(&springs))
                .map(|found| answers::penalty(&found)),
        )
    }

    /// The exact distance of two surfaces.
    #[func]
    fn distance(&self, mut a: Gd<ProxelBody>, mut b: Gd<ProxelBody>) -> VarDictionary {
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.distance())
                .map(|found| answers::distance(&found)),
        )
    }

    /// The exact volume that two closed bodies have in common.
    #[func]
    fn volume(&self, mut a: Gd<ProxelBody>, mut b: Gd<ProxelBody>) -> VarDictionary {
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.volume())
                .map(|found| answers::volume(&found)),
        )
    }

    /// All pairs of a vertex and a triangle, and of two edges, that are closer than `thickness`. Two numbers per feature: a vertex or a triangle and -1,
    /// or the vertices of an edge; four weights per pair.
    #[func]
    fn near(&self, mut a: Gd<ProxelBody>, mut b: Gd<ProxelBody>, thickness: f64) -> VarDictionary {
        told(
            Two::new(&mut a, &mut b)
                .and_then(|two| two.near(thickness))
                .map(|found| answers::near(&found)),
        )
    }
}
