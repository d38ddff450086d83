//! Messages to the host program: what the library and the validation layers have to say.

use std::sync::Arc;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Details for someone who looks for a fault.
    Debug,
    /// What was chosen and why.
    Info,
    /// Something the caller should mend.
    Warning,
    /// Something that failed.
    Error,
}

type Sink = dyn Fn(Severity, &str) + Send + Sync;

/// Where messages go. Cloning shares the destination.
#[derive(Clone)]
pub struct Log {
    threshold: Severity,
    sink: Option<Arc<Sink>>,
}

impl Log {
    /// A log that throws everything away.
    pub fn silent() -> Self {
        Self {
            threshold: Severity::Error,
            sink: None,
        }
    }

    /// A log that hands every message of at least `threshold` to `sink`.
    pub fn new(threshold: Severity, sink: impl Fn(Severity, &str) + Send + Sync + 'static) -> Self {
        Self {
            threshold,
            sink: Some(Arc::new(sink)),
        }
    }

    /// Whether a message of this severity would reach anyone.
    pub fn wants(&self, severity: Severity) -> bool {
        self.sink.is_some() && severity >= self.threshold
    }

    /// Sends a message.
    pub fn say(&self, severity: Severity, message: &str) {
        if let Some(sink) = self.sink.as_ref().filter(|_| severity >= self.threshold) {
            sink(severity, message);
        }
    }
}
