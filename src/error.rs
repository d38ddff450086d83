//! What can go wrong, as messages that name the value and say what to do.

/// Every failure of the library. The C layer turns each variant into its status number.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// An argument that no device could accept.
    #[error("{0}")]
    InvalidArgument(String),
    /// A null, stale, foreign or mistyped handle or id.
    #[error("{0}")]
    InvalidHandle(String),
    /// A def or info struct of a size that this library does not know.
    #[error(
        "{name} says it has {given} bytes; this library knows {known}: fill `size` by prx_{function}"
    )]
    StructSize {
        /// The C name of the struct.
        name: &'static str,
        /// What the caller wrote into `size`.
        given: u32,
        /// What this library has.
        known: u32,
        /// The rest of the name of the function that fills it.
        function: &'static str,
    },
    /// An output array without room for the answer.
    #[error(
        "{what}: room for {given}, {needed} needed; nothing was written, call again with that capacity"
    )]
    BufferTooSmall {
        /// What did not fit.
        what: &'static str,
        /// The capacity that was passed.
        given: u64,
        /// The capacity that is needed.
        needed: u64,
    },
    /// A call that does not fit the object's state.
    #[error("{0}")]
    WrongState(String),
    /// Something that this device does not offer.
    #[error("{0}")]
    Unsupported(String),
    /// No Vulkan loader, or one that does not work.
    #[error("no Vulkan loader: {0}; install libvulkan1 (or the vendor's driver) and try again")]
    NoVulkan(String),
    /// A loader, but no device that fits.
    #[error("{0}")]
    NoDevice(String),
    /// The device has no room for what was asked.
    #[error("out of device memory: {bytes} bytes for {what}")]
    OutOfDeviceMemory {
        /// What the memory was for.
        what: String,
        /// How much was asked.
        bytes: u64,
    },
    /// The host has no room for what was asked.
    #[error("out of host memory: {0}")]
    OutOfHostMemory(String),
    /// The driver gave up; the context answers nothing but this from now on.
    #[error("the Vulkan device was lost ({0}); destroy this context and create another")]
    DeviceLost(&'static str),
    /// A wait that ended before the work did.
    #[error("not finished within {0} ns; the work goes on, wait or poll again")]
    Timeout(u64),
    /// Work that the caller stopped.
    #[error("{0} was cancelled")]
    Cancelled(&'static str),
    /// A Vulkan call that failed with a code that has no message of its own.
    #[error("{call} failed: {result}")]
    Vulkan {
        /// The Vulkan function.
        call: &'static str,
        /// The result's name.
        result: String,
    },
    /// A bug in Proxel: a panic that was caught at the boundary.
    #[error("internal error, please report it: {0}")]
    Internal(String),
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Shorthand for [`Error::InvalidArgument`].
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::InvalidArgument(message.into())
}
