//! Kernels that the host never runs: those that only paths which draw dispatch, and those that write to buffers of the engine's or search among
//! positions in them. The host does nothing of that, and all of it is refused or done otherwise before anything is recorded.

use crate::gpu::native::Native;
use crate::gpu::shader::Kernel;
use crate::gpu::shader::kernels::{
    BinList, BinScan, BoundsOutput, Collect, ContactsOutput, ContainmentOutput, GradientsOutput,
    LayersOutput, PairsCheck, PairsClusters, PairsFinish, PairsTriangles, PatchesOutput,
    PenaltyBin, PenaltyOutput, PenaltyPicture, PenaltyTiles, ProximityBin, ProximityOutput,
    ProximityPixel, ProximityTiles, SamplesOutput, VolumeOutput,
};

macro_rules! device_only {
    ($($kernel:ident),* $(,)?) => {$(
        impl Native for $kernel<'_> {
            fn run(&self, _push: &<Self as Kernel>::Push, _groups: [u32; 3]) {
                unreachable!("{} is for Vulkan devices alone", stringify!($kernel));
            }
        }
    )*};
}

device_only!(
    BinList,
    BinScan,
    BoundsOutput,
    Collect,
    ContactsOutput,
    ContainmentOutput,
    GradientsOutput,
    LayersOutput,
    PairsCheck,
    PairsClusters,
    PairsFinish,
    PairsTriangles,
    PatchesOutput,
    PenaltyBin,
    PenaltyOutput,
    PenaltyPicture,
    PenaltyTiles,
    ProximityBin,
    ProximityOutput,
    ProximityPixel,
    ProximityTiles,
    SamplesOutput,
    VolumeOutput
);
