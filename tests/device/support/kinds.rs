//! What the tests of fields share: every kind of field, baked from a shape.

use crate::support::{Checked, input};
use fixtures::shapes::Shape;
use proxel::field::bake::Signing;
use proxel::field::data::{Precision, Storage};
use proxel::field::grid::Resolution;
use proxel::field::request::{BakeRequest, GridPlacement};

/// How a field may be stored.
pub type TreeKind = (Storage, Precision);

/// All ways to store a field.
pub const KINDS: [TreeKind; 6] = [
    (Storage::Distance, Precision::Single),
    (Storage::Distance, Precision::Half),
    (Storage::Direction, Precision::Single),
    (Storage::Direction, Precision::Half),
    (Storage::Sparse, Precision::Single),
    (Storage::Sparse, Precision::Half),
];

/// A field of so many cells along the longest side.
pub fn request((storage, precision): TreeKind, cells: u32) -> BakeRequest {
    BakeRequest {
        placement: GridPlacement::Around {
            resolution: Resolution::Cells(cells),
            padding: None,
        },
        storage,
        precision,
        signing: Signing::Auto,
    }
}

/// The field of a shape, when it is ready.
pub fn bake(checked: &Checked, shape: &Shape, kind: TreeKind, cells: u32) -> u64 {
    let mesh = checked.context.create_mesh(input(shape)).unwrap();
    let field = checked
        .context
        .bake_field(mesh, request(kind, cells))
        .unwrap();
    checked.context.wait_field(field, u64::MAX).unwrap();
    checked.context.destroy_mesh(mesh).unwrap();
    field
}
