//! Zones for the Tracy profiler, with the feature `tracy`. Without it they are nothing.

/// Lasts as long as what it names.
#[must_use]
pub struct Zone {
    #[cfg(feature = "tracy")]
    _span: tracy_client::Span,
}

/// Names what this thread does until the answer is dropped.
#[inline]
pub fn zone(name: &'static str) -> Zone {
    #[cfg(not(feature = "tracy"))]
    let _ = name;
    Zone {
        // The first call starts Tracy's client, which has a thread of its own; later ones find it.
        #[cfg(feature = "tracy")]
        _span: tracy_client::Client::start().span_alloc(Some(name), name, "proxel", 0, 0),
    }
}
