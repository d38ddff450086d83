//! Kernels that only paths which draw dispatch: the host draws nothing, and queries refuse those paths before they record.

use crate::gpu::native::Native;
use crate::gpu::shader::Kernel;
use crate::gpu::shader::kernels::{
    BinList, BinScan, Collect, PenaltyBin, PenaltyPicture, PenaltyTiles, ProximityBin,
    ProximityPixel, ProximityTiles,
};

macro_rules! device_only {
    ($($kernel:ident),* $(,)?) => {$(
        impl Native for $kernel<'_> {
            fn run(&self, _push: &<Self as Kernel>::Push, _groups: [u32; 3]) {
                unreachable!("{} draws, which the host does not", stringify!($kernel));
            }
        }
    )*};
}

device_only!(
    BinList,
    BinScan,
    Collect,
    PenaltyBin,
    PenaltyPicture,
    PenaltyTiles,
    ProximityBin,
    ProximityPixel,
    ProximityTiles
);
