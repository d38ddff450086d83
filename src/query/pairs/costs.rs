//! Where pairs of triangles of an engine's meshes are looked for sooner: by kernels of the device that has them, or by the host once the positions are
//! there. What queries of about the same size took decides.

use crate::gpu::share::Spread;
use crate::lock::lock;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Who looks for pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchAt {
    /// Kernels.
    Device,
    /// The CPU pool.
    Host,
}

/// Times that are kept of each; their median counts. The first ones pay for pipelines and hierarchies.
const KEPT: usize = 3;
/// Where one took twice as long, it is tried again after four times so many queries: trials cost less than a hundredth.
const TRIAL: f64 = 64.0;
/// Sizes that are told apart: powers of two.
const SIZES: usize = 33;

/// What it took so far, by the number of triangles.
pub struct SearchCosts {
    sizes: Mutex<[Costs; SIZES]>,
    required: OnceLock<SearchAt>,
}

#[derive(Clone, Copy, Default)]
struct Costs {
    device: Times,
    host: Times,
    /// Queries since the slower one was tried.
    queries: f64,
}

#[derive(Clone, Copy, Default)]
struct Times {
    seconds: [f64; KEPT],
    count: usize,
}

impl Times {
    fn median(&self) -> Option<f64> {
        let mut sorted = self.seconds;
        sorted.sort_unstable_by(f64::total_cmp);
        (self.count >= KEPT).then_some(sorted[KEPT / 2])
    }
}

impl Costs {
    fn choose(&mut self) -> SearchAt {
        let (Some(device), host) = (self.device.median(), self.host.median()) else {
            return SearchAt::Device;
        };
        let Some(host) = host else {
            return SearchAt::Host;
        };
        let (sooner, later) = match device <= host {
            true => (SearchAt::Device, SearchAt::Host),
            false => (SearchAt::Host, SearchAt::Device),
        };
        let ratio = device.max(host) / device.min(host).max(1e-9);
        self.queries += 1.0;
        if self.queries < TRIAL * ratio * ratio {
            return sooner;
        }
        self.queries = 0.0;
        later
    }
}

impl Default for SearchCosts {
    fn default() -> Self {
        Self {
            sizes: Mutex::new([Costs::default(); SIZES]),
            required: OnceLock::new(),
        }
    }
}

impl SearchCosts {
    /// Chooses the same from now on, whatever it takes.
    pub fn require(&self, at: SearchAt) {
        self.required.get_or_init(|| at);
    }

    /// Who looks for pairs among so many triangles. A processor that is a device walks its own hierarchies sooner than it runs kernels.
    pub(crate) fn choose(&self, spread: Spread, triangles: usize) -> SearchAt {
        if let Some(required) = self.required.get() {
            return *required;
        }
        match spread {
            Spread::Software => SearchAt::Host,
            Spread::Hardware => lock(&self.sizes)[size_of_search(triangles)].choose(),
        }
    }

    /// Remembers what a query took.
    pub(crate) fn note(&self, at: SearchAt, triangles: usize, took: Duration) {
        let costs = &mut lock(&self.sizes)[size_of_search(triangles)];
        let times = match at {
            SearchAt::Device => &mut costs.device,
            SearchAt::Host => &mut costs.host,
        };
        times.seconds[times.count % KEPT] = took.as_secs_f64();
        times.count += 1;
    }
}

fn size_of_search(triangles: usize) -> usize {
    (triangles.max(1).ilog2() as usize).min(SIZES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks so many times, and tells who was chosen how often; each takes what it is said to, in microseconds.
    fn ask(costs: &SearchCosts, queries: usize, [device, host]: [u64; 2]) -> [usize; 2] {
        let mut chosen = [0; 2];
        for _ in 0..queries {
            let at = costs.choose(Spread::Hardware, 1000);
            let (place, took) = match at {
                SearchAt::Device => (0, device),
                SearchAt::Host => (1, host),
            };
            chosen[place] += 1;
            costs.note(at, 1000, Duration::from_micros(took));
        }
        chosen
    }

    #[test]
    fn what_takes_less_is_taken_and_the_other_is_tried_again() {
        for (times, sooner) in [([100, 300], 0), ([300, 100], 1)] {
            let costs = SearchCosts::default();
            ask(&costs, 2 * KEPT, times);
            let chosen = ask(&costs, 6000, times);
            assert!(chosen[sooner] > 5980, "{chosen:?}");
            assert!(chosen[1 - sooner] >= 5, "{chosen:?}");
        }
    }

    #[test]
    fn a_change_of_what_it_takes_is_noticed() {
        let costs = SearchCosts::default();
        ask(&costs, 100, [100, 150]);
        let chosen = ask(&costs, 2000, [400, 150]);
        assert!(chosen[1] > 1800, "{chosen:?}");
    }

    #[test]
    fn processors_search_by_themselves() {
        let costs = SearchCosts::default();
        assert_eq!(costs.choose(Spread::Software, 10), SearchAt::Host);
        assert_eq!(costs.choose(Spread::Hardware, 10), SearchAt::Device);
    }
}
