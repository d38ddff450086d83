//! A node that has a mesh as Proxel has it.

use crate::device::{self, Outcome, check, filled, told};
use crate::native::{
    PRX_MESH_DEFORMING, PrxBody, PrxContext, PrxField, PrxMesh, PrxPose, prx_body_default,
    prx_field_bake, prx_field_def_default, prx_field_destroy, prx_field_wait, prx_mesh_create,
    prx_mesh_def_default, prx_mesh_destroy, prx_mesh_update, prx_pose_identity,
};
use crate::surface::Surface;
use godot::classes::Mesh;
use godot::prelude::*;

/// A mesh that can touch others. It is where the node is; the node's scale, in any form, is taken when the mesh is.
#[derive(GodotClass)]
#[class(init, base = Node3D)]
pub struct ProxelBody {
    /// The surface. Where it is not changed, put the mesh of a MeshInstance3D here, too.
    #[export]
    #[var(set = set_mesh)]
    mesh: Option<Gd<Mesh>>,
    /// Cells along the longest side of the distance field, which other bodies are looked up in; 0 for a body without one, such as a soft
    /// one. Of two bodies that touch one must have a field.
    #[export]
    #[var(set = set_field_resolution)]
    #[init(val = 64)]
    field_resolution: i32,
    /// Added to the distance up to which contacts are reported.
    #[export]
    contact_offset: f32,
    /// Thickness around the surface.
    #[export]
    rest_offset: f32,
    /// The velocity of the node's origin, for the damping and friction of penalty forces.
    #[export]
    linear_velocity: Vector3,
    /// The angular velocity, in radians per second.
    #[export]
    angular_velocity: Vector3,
    made: Option<Made>,
    base: Base<Node3D>,
}

/// What Proxel has of a body.
struct Made {
    context: *mut PrxContext,
    mesh: PrxMesh,
    field: PrxField,
    surface: Surface,
    /// The node's scale, mirroring and shear.
    shape: Basis,
}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: of a context that is gone both are refused.
        unsafe {
            prx_field_destroy(self.context, self.field);
            prx_mesh_destroy(self.context, self.mesh);
        }
    }
}

/// A body as queries take it, at one moment.
pub struct Placed {
    pub context: *mut PrxContext,
    pub mesh: PrxMesh,
    pub field: PrxField,
    pub body: PrxBody,
    pub pose: PrxPose,
}

impl Placed {
    /// The field, which the query `what` needs.
    pub fn field(&self, what: &str) -> Outcome<PrxField> {
        if self.field.id == 0 {
            return Err(format!(
                "{what} needs a field of the first body: set its field_resolution"
            ));
        }
        Ok(self.field)
    }
}

#[godot_api]
impl ProxelBody {
    /// Takes the mesh as it is now and bakes its field. The first question does it otherwise, which takes as long.
    #[func]
    fn prepare(&mut self) -> bool {
        self.made = None;
        told(self.ready().map(|_| true))
    }

    /// Moves the vertices of the mesh: as many as its surfaces have together, in their order, in the node's frame. The field stays as it was.
    #[func]
    fn deform(&mut self, vertices: PackedVector3Array) -> bool {
        told(self.moved(vertices.as_slice()).map(|()| true))
    }

    /// How many triangles Proxel has. What Godot's mesh has without an area is left out.
    #[func]
    fn triangle_count(&self) -> i64 {
        self.made
            .as_ref()
            .map_or(0, |made| made.surface.triangles.len() as i64)
    }

    /// The vertices of each triangle, three numbers per triangle: places in `vertices()`.
    #[func]
    fn triangles(&self) -> PackedInt32Array {
        let made = self.made.iter();
        made.flat_map(|made| made.surface.triangles.iter().flatten().map(|&at| at as i32))
            .collect()
    }

    /// The vertices of Proxel's, in the node's frame without its scale. Vertices of Godot's at one place are one.
    #[func]
    fn vertices(&self) -> PackedVector3Array {
        let made = self.made.iter();
        made.flat_map(|made| {
            made.surface
                .positions
                .iter()
                .map(|&[x, y, z]| Vector3::new(x, y, z))
        })
        .collect()
    }

    #[func]
    fn set_mesh(&mut self, mesh: Option<Gd<Mesh>>) {
        self.mesh = mesh;
        self.made = None;
    }

    #[func]
    fn set_field_resolution(&mut self, cells: i32) {
        self.field_resolution = cells;
        self.made = None;
    }
}

impl ProxelBody {
    /// The body where the node is now, made if it is not there yet.
    pub fn placed(&mut self) -> Outcome<Placed> {
        let (rotation, shape) = self.ready()?;
        let made = self.made.as_ref().ok_or("the body is gone")?;
        let change = |k: usize| (made.shape.rows[k] - shape.rows[k]).length();
        let size = (0..3)
            .map(|k| made.shape.rows[k].length())
            .fold(0.0, f32::max);
        if (0..3).any(|k| change(k) > 1e-4 * size) {
            return Err(
                "the node's scale has changed since its mesh was taken: call prepare()".into(),
            );
        }
        let at = self.base().get_global_position();
        let turn = rotation.get_quaternion().normalized();
        let turn = [turn.x, turn.y, turn.z, turn.w];
        let body = PrxBody {
            mesh: made.mesh,
            field: made.field,
            position: at.to_array().map(f64::from),
            rotation: turn,
            contact_offset: self.contact_offset,
            rest_offset: self.rest_offset,
            // SAFETY: asks for nothing.
            ..unsafe { prx_body_default() }
        };
        let pose = PrxPose {
            position: at.to_array(),
            rotation: turn,
            linear_velocity: self.linear_velocity.to_array(),
            angular_velocity: self.angular_velocity.to_array(),
            // SAFETY: as before.
            ..unsafe { prx_pose_identity() }
        };
        Ok(Placed {
            context: made.context,
            mesh: made.mesh,
            field: made.field,
            body,
            pose,
        })
    }

    /// Makes what is not there; the node's rotation, and the rest of what its basis does.
    fn ready(&mut self) -> Outcome<(Basis, Basis)> {
        let context = device::context()?;
        if !self.base().is_inside_tree() {
            return Err("the body is not in the scene tree".into());
        }
        let basis = self.base().get_global_transform().basis;
        let turn = basis.determinant();
        if !turn.is_finite() || turn == 0.0 {
            return Err("the node's scale has no inverse".into());
        }
        let rotation = basis.orthonormalized();
        let rotation = if turn < 0.0 {
            rotation.scaled(Vector3::splat(-1.0))
        } else {
            rotation
        };
        let shape = rotation.transposed() * basis;
        if self
            .made
            .as_ref()
            .is_none_or(|made| made.context != context)
        {
            self.made = None;
            self.made = Some(self.make(context, shape)?);
        }
        Ok((rotation, shape))
    }

    fn make(&self, context: *mut PrxContext, shape: Basis) -> Outcome<Made> {
        let mesh = self.mesh.as_ref().ok_or("the body has no mesh")?;
        let surface = Surface::read(mesh, &shape)?;
        let cells = u32::try_from(self.field_resolution)
            .map_err(|_| format!("field_resolution is {}: at least 0", self.field_resolution))?;
        // SAFETY: asks for nothing.
        let mut def = unsafe { prx_mesh_def_default() };
        def.flags = PRX_MESH_DEFORMING;
        def.vertex_count = surface.positions.len() as u32;
        def.positions = surface.positions.as_ptr().cast();
        def.triangle_count = surface.triangles.len() as u32;
        def.indices = surface.triangles.as_ptr().cast();
        // SAFETY: the def is of the surface's arrays.
        let mesh = filled(context, |out| unsafe {
            prx_mesh_create(context, &def, out)
        })?;
        let mut made = Made {
            context,
            mesh,
            field: PrxField { id: 0 },
            surface,
            shape,
        };
        if cells > 0 {
            // SAFETY: asks for nothing.
            let mut def = unsafe { prx_field_def_default() };
            def.resolution = cells;
            // SAFETY: the def is valid, and `out` is writable.
            made.field = filled(context, |out| unsafe {
                prx_field_bake(context, mesh, &def, out)
            })?;
            // SAFETY: both are there.
            check(context, unsafe {
                prx_field_wait(context, made.field, u64::MAX)
            })?;
        }
        Ok(made)
    }

    fn moved(&mut self, vertices: &[Vector3]) -> Outcome<()> {
        self.ready()?;
        let made = self.made.as_mut().ok_or("the body is gone")?;
        let positions = made.surface.moved(&made.shape, vertices).ok_or_else(|| {
            format!(
                "{} vertices for a mesh of {}",
                vertices.len(),
                made.surface.vertices.len()
            )
        })?;
        let count = positions.len() as u32;
        // SAFETY: `positions` has `count` positions of twelve bytes.
        let status = unsafe {
            prx_mesh_update(
                made.context,
                made.mesh,
                0,
                count,
                positions.as_ptr().cast(),
                12,
            )
        };
        check(made.context, status)?;
        made.surface.positions = positions;
        Ok(())
    }
}
