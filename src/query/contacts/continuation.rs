//! Which contacts and patches of the last step go on, and which ended.

use super::manifold::{Contact, ContactFeature, Manifold, ManifoldPatch};
use super::options::PreviousContact;
use crate::memory::{self, Gather};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Finds what of the last step the contacts and patches of a manifold continue, and what ended. Contacts on an edge or in a face may have moved
/// by `within`.
pub(in crate::query) fn continue_manifold(
    manifold: &mut Manifold,
    previous: &[PreviousContact],
    within: f64,
) {
    manifold.ended = continue_contacts(&mut manifold.contacts, previous, within);
    continue_patches(&mut manifold.patches, &manifold.contacts, previous);
}

/// A patch continues the one that more than half of its contacts come from. Where several come from one, that with the most of its contacts
/// continues it, of equal ones the first.
fn continue_patches(
    patches: &mut [ManifoldPatch],
    contacts: &[Contact],
    previous: &[PreviousContact],
) {
    let mut members = memory::filled(0_u32, patches.len());
    let mut votes: Vec<[u32; 2]> = memory::room(contacts.len());
    for contact in contacts {
        let Some(members) = members.get_mut(contact.patch as usize) else {
            continue;
        };
        *members += 1;
        if let Some(at) = contact.previous {
            votes.push([previous[at as usize].patch, contact.patch]);
        }
    }
    votes.sort_unstable();
    let counted = (votes.chunk_by(|a, b| a == b)).map(|same| (same[0], same.len()));
    let most = |([_, new], votes): &([u32; 2], usize)| 2 * votes > members[*new as usize] as usize;
    let mut claims = counted.filter(most).gather();
    claims.sort_unstable_by_key(|&([old, new], votes)| (old, Reverse(votes), new));
    claims.dedup_by_key(|([old, _], _)| *old);
    for ([old, new], _) in claims {
        patches[new as usize].previous = Some(old);
    }
}

/// Finds for each contact the previous one that it continues, by its key; on an edge or in a face also by its place on the same feature.
/// Returns the previous ones that nobody continues.
fn continue_contacts(
    contacts: &mut [Contact],
    previous: &[PreviousContact],
    within: f64,
) -> Vec<u32> {
    let mut open: HashMap<u64, u32> = HashMap::new();
    memory::ensure_map(&mut open, previous.len());
    for (at, old) in previous.iter().enumerate() {
        open.entry(old.key).or_insert(at as u32);
    }
    let mut ended: Vec<bool> = memory::filled(true, previous.len());
    for contact in contacts.iter_mut() {
        if let Some(at) = open.remove(&contact.key) {
            contact.previous = Some(at);
            ended[at as usize] = false;
        }
    }
    // The feature without the place on it.
    let feature = |key: u64| key & !(0x1fff_ffff << 32);
    for contact in contacts.iter_mut() {
        if contact.previous.is_some() || contact.feature == ContactFeature::Vertex {
            continue;
        }
        let near = |at: &usize| {
            let old = &previous[*at];
            ended[*at] && feature(old.key) == feature(contact.key)
        };
        let away = |at: usize| previous[at].point.distance(contact.own_point());
        let nearest = (0..previous.len())
            .filter(near)
            .min_by(|&a, &b| away(a).total_cmp(&away(b)));
        if let Some(at) = nearest.filter(|&at| away(at) <= within) {
            contact.previous = Some(at as u32);
            ended[at] = false;
        }
    }
    for contact in contacts.iter_mut() {
        if let Some(at) = contact.previous {
            contact.user = previous[at as usize].user;
        }
    }
    let over = |at: &u32| ended[*at as usize];
    (0..previous.len() as u32).filter(over).gather()
}
