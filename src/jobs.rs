//! The engine's threads: work is offered to them as items, and a context whose engine takes offers starts no thread of its own.
//!
//! An offer is only that. Whoever makes one does what nobody has begun, so an engine that runs its items late, on one thread or not at
//! all costs time and nothing else. The engine holds a number in a pointer's clothes: an item that comes twice, or after its offer has
//! ended, finds nothing to do.

use crate::lock::{lock, outlive};
use crate::panics;
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::{Condvar, Mutex};

/// An item of an offer, as the engine calls it.
pub type ItemFn = unsafe extern "C" fn(data: *mut c_void, index: u32);

/// How the engine runs items; the item is never null.
pub type RunFn =
    unsafe extern "C" fn(user: *mut c_void, item: Option<ItemFn>, data: *mut c_void, count: u32);

/// Work that is done once.
pub type OfferedTask = Box<dyn FnOnce() + Send>;

/// The engine's way to run items.
#[derive(Clone, Copy)]
pub struct Jobs {
    run: RunFn,
    /// An address of the engine's.
    user: usize,
}

/// Tasks that the engine's threads may do. When it goes, what nobody has begun is dropped, and what is being done is waited for.
pub struct Offer {
    number: usize,
}

/// All offers of the process.
static OFFERS: Mutex<Offers> = Mutex::new(Offers {
    made: 0,
    open: Vec::new(),
});

/// A task of some offer has ended.
static ENDED: Condvar = Condvar::new();

struct Offers {
    made: usize,
    open: Vec<OpenOffer>,
}

struct OpenOffer {
    number: usize,
    tasks: Vec<Option<OfferedTask>>,
    /// Tasks that threads of the engine are at work on.
    begun: usize,
}

thread_local! {
    /// The offer whose `run` this thread is in.
    static OFFERING: Cell<usize> = const { Cell::new(0) };
    /// The offer of which this thread does a task.
    static DOING: Cell<usize> = const { Cell::new(0) };
}

impl Jobs {
    /// # Safety
    /// `run` may be called from any thread with `user`, for as long as the context lives.
    pub unsafe fn new(run: RunFn, user: *mut c_void) -> Self {
        let user = user as usize;
        Self { run, user }
    }

    /// Offers tasks. When this returns, some may be done.
    pub fn offer(&self, tasks: Vec<OfferedTask>) -> Offer {
        let count = tasks.len() as u32;
        let mut offers = lock(&OFFERS);
        offers.made += 1;
        let number = offers.made;
        offers.open.push(OpenOffer {
            number,
            tasks: tasks.into_iter().map(Some).collect(),
            begun: 0,
        });
        drop(offers);
        let offer = Offer { number };
        let before = OFFERING.replace(number);
        // SAFETY: by the promise of `new`; `run_item` takes any number and any index.
        unsafe {
            (self.run)(
                self.user as *mut c_void,
                Some(run_item),
                number as *mut c_void,
                count,
            )
        };
        OFFERING.set(before);
        offer
    }
}

impl Offer {
    /// Takes a task that nobody has begun.
    pub fn take(&self) -> Option<OfferedTask> {
        let mut offers = lock(&OFFERS);
        let open = offers.find(self.number)?;
        open.tasks.iter_mut().find_map(Option::take)
    }

    /// Whether nothing waits, and no thread of the engine is at work on it.
    pub fn is_over(&self) -> bool {
        let mut offers = lock(&OFFERS);
        let open = offers.find(self.number);
        open.is_none_or(|open| open.begun == 0 && open.tasks.iter().all(Option::is_none))
    }

    /// Whether a task waits to be begun.
    pub fn waits(&self) -> bool {
        let mut offers = lock(&OFFERS);
        let open = offers.find(self.number);
        open.is_some_and(|open| open.tasks.iter().any(Option::is_some))
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        let mut offers = lock(&OFFERS);
        let Some(open) = offers.find(self.number) else {
            return;
        };
        let left = std::mem::take(&mut open.tasks);
        // A task that lets go of its own offer cannot wait for itself.
        while DOING.get() != self.number && offers.find(self.number).is_some_and(|o| o.begun > 0) {
            offers = outlive(ENDED.wait(offers));
        }
        offers.open.retain(|open| open.number != self.number);
        if offers.open.is_empty() {
            offers.open = Vec::new();
        }
        drop(offers);
        drop(left);
    }
}

impl Offers {
    fn find(&mut self, number: usize) -> Option<&mut OpenOffer> {
        self.open.iter_mut().find(|open| open.number == number)
    }

    /// Takes a task for a thread of the engine.
    fn begin(&mut self, number: usize, index: u32) -> Option<OfferedTask> {
        let open = self.find(number)?;
        let task = open.tasks.get_mut(index as usize)?.take()?;
        open.begun += 1;
        Some(task)
    }

    fn end(&mut self, number: usize) {
        if let Some(open) = self.find(number) {
            open.begun -= 1;
        }
        ENDED.notify_all();
    }
}

/// What the engine calls. A thread that is within another call of Proxel declines: what it would wait for might be that call.
unsafe extern "C" fn run_item(data: *mut c_void, index: u32) {
    let number = data as usize;
    let offering = OFFERING.get();
    if rayon::current_thread_index().is_some() || !(offering == 0 || offering == number) {
        return;
    }
    let Some(task) = lock(&OFFERS).begin(number, index) else {
        return;
    };
    let before = DOING.replace(number);
    // Tasks tell their outcome themselves; a panic is one.
    let _ = panics::caught(task);
    DOING.set(before);
    lock(&OFFERS).end(number);
}
