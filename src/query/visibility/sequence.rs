//! Bodies that are drawn one after the other in a view, and what is asked about each.

use super::suspect::Suspect;
use super::view::View;
use crate::memory::Gather;

/// Nothing was drawn before the first body: it is visible, whatever it is. Of each other one, a count tells whether it is hidden.
pub(super) struct Sequence<'a> {
    /// Where they are seen from.
    pub(super) view: &'a View,
    /// The bodies, by their place among the suspects.
    pub(super) order: Vec<usize>,
    /// Of each body in this order the numbers of the questions, ascending.
    pub(super) asked: Vec<Vec<usize>>,
}

impl<'a> Sequence<'a> {
    /// All that is left of all bodies, in their order; None if there are not two.
    pub(super) fn forwards(view: &'a View, suspects: &[Suspect]) -> Option<Self> {
        let order: Vec<usize> = (0..suspects.len())
            .filter(|&s| suspects[s].is_alive())
            .gather();
        let asked = order.iter().map(|&s| suspects[s].questions()).gather();
        (order.len() > 1).then_some(Self { view, order, asked })
    }

    /// The other order, asking for some questions, which are given in this order.
    pub(super) fn backwards(&self, asked: Vec<Vec<usize>>) -> Self {
        Self {
            view: self.view,
            order: self.order.iter().rev().copied().gather(),
            asked: asked.into_iter().rev().gather(),
        }
    }

    /// How many questions need a count.
    pub(super) fn count(&self) -> usize {
        self.asked.iter().skip(1).map(Vec::len).sum()
    }

    /// Takes out what questions, given in this order, are about.
    pub(super) fn clear(&self, suspects: &mut [Suspect], questions: &[Vec<usize>]) {
        for (&s, questions) in self.order.iter().zip(questions) {
            questions.iter().for_each(|&q| suspects[s].clear(q));
        }
    }
}
