//! Contacts that go on from step to step.

use crate::answers;
use crate::body::ProxelBody;
use crate::device::told;
use crate::native::PrxContact;
use crate::queries::Two;
use godot::classes::INode;
use godot::prelude::*;

/// A node that was not freed meanwhile.
fn alive(body: &Option<Gd<ProxelBody>>) -> Option<Gd<ProxelBody>> {
    body.as_ref().filter(|it| it.is_instance_valid()).cloned()
}

/// Asks for the contacts of two bodies in every physics step, or when `step` is called, and knows those of the step before again.
#[derive(GodotClass)]
#[class(init, base = Node)]
pub struct ProxelPair {
    /// The first body.
    #[export]
    a: Option<Gd<ProxelBody>>,
    /// The second body.
    #[export]
    b: Option<Gd<ProxelBody>>,
    /// Contacts are reported up to this separation.
    #[export]
    distance: f32,
    /// Whether every physics step asks.
    #[export]
    #[init(val = true)]
    automatic: bool,
    found: Vec<PrxContact>,
    base: Base<Node>,
}

#[godot_api]
impl INode for ProxelPair {
    fn physics_process(&mut self, _delta: f64) {
        if self.automatic && alive(&self.a).is_some() && alive(&self.b).is_some() {
            self.step();
        }
    }
}

#[godot_api]
impl ProxelPair {
    /// Contacts that were not there in the step before, by their places in `contacts()`.
    #[signal]
    fn began(contacts: PackedInt32Array);

    /// Contacts of the step before that are gone, by their keys.
    #[signal]
    fn ended(keys: PackedInt64Array);

    /// Asks now. Gives how many contacts there are.
    #[func]
    fn step(&mut self) -> i64 {
        let bodies = alive(&self.a).zip(alive(&self.b));
        let found = bodies.ok_or_else(|| "the pair has no two bodies".to_owned());
        let found = found.and_then(|(mut a, mut b)| {
            Two::new(&mut a, &mut b)?.contacts(self.distance, &self.found)
        });
        let before = std::mem::take(&mut self.found);
        self.found = told(found);
        let began: PackedInt32Array = (0i32..)
            .zip(&self.found)
            .filter(|(_, it)| it.previous < 0)
            .map(|(at, _)| at)
            .collect();
        let mut goes_on = vec![false; before.len()];
        for it in &self.found {
            if let Some(one) = usize::try_from(it.previous)
                .ok()
                .and_then(|at| goes_on.get_mut(at))
            {
                *one = true;
            }
        }
        let ended: PackedInt64Array = before
            .iter()
            .zip(goes_on)
            .filter(|(_, on)| !on)
            .map(|(it, _)| it.key as i64)
            .collect();
        let count = self.found.len() as i64;
        if !began.is_empty() {
            self.signals().began().emit(&began);
        }
        if !ended.is_empty() {
            self.signals().ended().emit(&ended);
        }
        count
    }

    /// The contacts of the last step, as `Proxel.contacts` gives them. `previous` has the place that each had the step before, or -1.
    #[func]
    fn contacts(&self) -> VarDictionary {
        answers::contacts(&self.found)
    }

    /// Forgets the contacts: the next step begins anew.
    #[func]
    fn forget(&mut self) {
        self.found.clear();
    }
}
