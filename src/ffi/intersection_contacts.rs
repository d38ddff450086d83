//! Volume contacts: regions as what a solver takes
//!
//! The connected parts of an exact intersection as contacts and patches, in the same structs as contacts in fields (Allard et al. 2010, "Volume Contact Constraints
//! at Arbitrary Resolution"). Each part is a patch; bodies need no field and may deform. A part pushes along its area vector, which is how its volume changes, so
//! normal, area and forces change smoothly as bodies move, and a part that is all of a body, which no direction makes smaller, gives no contact.
//!
//! A penalty force on body A of a patch with stiffness k per volume is -k times the sum of area times depth of its contacts, along the normal: k times the volume of
//! the part, but for what the manifold's residuals tell. With hard constraints take them as any other contacts.

use super::asking::{List, Out, list_context};
use super::boundary::{Sized32, on_context, read_array, read_def_or};
use super::contacts::{PrxContact, PrxManifold, PrxPatch};
use super::exact_intersection::PrxIntersection;
use super::handles::PrxContext;
use super::status::PrxStatus;
use crate::error::Result;
use crate::memory::Gather;
use crate::query::contacts::{PreviousContact, USUAL_POINTS};
use crate::query::region_contacts::RegionContactOptions;

/// How parts become contacts. Fill it by prx_region_contacts_def_default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PrxRegionContactsDef {
    /// Bytes of this struct.
    pub size: u32,
    /// Contacts that are kept per patch, from 1 to 32; 0 for all.
    pub points: u32,
    /// Patches that are kept, the largest parts first; 0 for all.
    pub patches: u32,
}

// SAFETY: repr(C), size first, numbers only.
unsafe impl Sized32 for PrxRegionContactsDef {
    const NAME: &'static str = "PrxRegionContactsDef";
    const FILLED_BY: &'static str = "region_contacts_def_default";
}

/// A def for four contacts per patch, and all patches.
#[unsafe(no_mangle)]
pub extern "C" fn prx_region_contacts_def_default() -> PrxRegionContactsDef {
    PrxRegionContactsDef {
        size: size_of::<PrxRegionContactsDef>() as u32,
        points: USUAL_POINTS,
        patches: 0,
    }
}

/// The parts of an intersection as contacts, patch by patch; `def` may be null for the default. They lie on corners of the parts: vertices inside the other mesh, and edges where
/// they pass through it.
///
/// As of contacts in fields, but: `separation` is minus the depth there of the plane that has the volume and the centre of the part, and all depths
/// of the part are between `lower` and `upper`; `area` is seen along the normal, and areas add up to that of the patch, with the same centre. The manifold's force and torque are
/// exact: of a unit pressure over all parts.
///
/// `previous` has up to 4096 contacts of the last step as they were returned, with `user` filled as the caller likes; null for none. `out_manifold` may be null. `*out_count` gets the
/// number of contacts, also when `capacity` is too small.
///
/// # Safety
/// `def` is null or valid; `previous` has `previous_count` contacts; `out_manifold` is null or writable; `out` has room for `capacity` contacts;
/// `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_contacts(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    def: *const PrxRegionContactsDef,
    previous: *const PrxContact,
    previous_count: u32,
    out_manifold: *mut PrxManifold,
    out: *mut PrxContact,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    on_context(context, |context| {
        let list = List::new(out, capacity, out_count, "contacts");
        list.check()?;
        // SAFETY: by the caller's promise.
        let options = unsafe { read_options(def, (previous, previous_count)) }?;
        let found = context.intersection_contacts(intersection.id, &options)?;
        let manifold = PrxManifold::from(&found);
        // SAFETY: by the caller's promise.
        unsafe {
            list.write(Ok(found.contacts))?;
            if let Some(out) = Out::optional(out_manifold) {
                out.write(manifold);
            }
        }
        Ok(())
    })
}

/// The patches of prx_intersection_contacts with the same arguments, the largest parts first: normal along the area vector, area and second moments as seen
/// along it, and the centre half way between both surfaces. `tangent` is along the larger moment, and the mixed one is zero. `*out_count` gets their number, also when `capacity` is
/// too small; nothing else is written then.
///
/// # Safety
/// `def` is null or valid; `previous` has `previous_count` contacts; `out` has room for `capacity` patches; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prx_intersection_patches(
    context: *mut PrxContext,
    intersection: PrxIntersection,
    def: *const PrxRegionContactsDef,
    previous: *const PrxContact,
    previous_count: u32,
    out: *mut PrxPatch,
    capacity: u64,
    out_count: *mut u64,
) -> PrxStatus {
    let patches = List::new(out, capacity, out_count, "patches");
    // SAFETY: by the caller's promise.
    unsafe {
        list_context(context, patches, |context| {
            let options = read_options(def, (previous, previous_count))?;
            let found = context.intersection_contacts(intersection.id, &options)?;
            Ok(found.patches)
        })
    }
}

/// # Safety
/// `def` is null or valid, and there are as many previous contacts as their count says.
unsafe fn read_options(
    def: *const PrxRegionContactsDef,
    (previous, count): (*const PrxContact, u32),
) -> Result<RegionContactOptions> {
    // SAFETY: by the caller's promise.
    let (def, previous) = unsafe {
        (
            read_def_or(def, prx_region_contacts_def_default)?,
            read_array(previous, count.into(), "previous contacts")?,
        )
    };
    Ok(RegionContactOptions {
        points: def.points,
        patches: def.patches,
        previous: previous.iter().map(PreviousContact::from).gather(),
    })
}
