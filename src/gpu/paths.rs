//! The optional features: which the device has, which are taken, which were forced by the caller.

use crate::error::{Error, Result};

/// A feature with a fast path where the device has it and another path where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceFeature {
    /// `depthBounds`: fragments outside the other object's depth range are rejected; otherwise early-Z.
    DepthBounds,
    /// `geometryShader`: three projections in one pass; otherwise three passes or binning.
    GeometryShader,
    /// `VK_EXT_conservative_rasterization`; otherwise triangles are fattened.
    ConservativeRasterization,
    /// Subgroup arithmetic in compute, in full subgroups of a size that pipelines can require; otherwise reductions through
    /// shared memory.
    Subgroups,
    /// `VK_EXT_shader_atomic_float` additions in buffers; no query uses them, because sums have a fixed order.
    FloatAtomics,
    /// `occlusionQueryPrecise`: exact sample counts; otherwise yes or no.
    PreciseOcclusion,
    /// `fragmentStoresAndAtomics`: fragments write lists; otherwise compute scans triangles itself.
    FragmentStores,
}

impl DeviceFeature {
    /// All of them, in the order of the C structs.
    pub const ALL: [Self; 7] = [
        Self::DepthBounds,
        Self::GeometryShader,
        Self::ConservativeRasterization,
        Self::Subgroups,
        Self::FloatAtomics,
        Self::PreciseOcclusion,
        Self::FragmentStores,
    ];

    /// The name that Vulkan's users know.
    pub fn name(self) -> &'static str {
        match self {
            Self::DepthBounds => "depthBounds",
            Self::GeometryShader => "geometryShader",
            Self::ConservativeRasterization => "VK_EXT_conservative_rasterization",
            Self::Subgroups => {
                "subgroup arithmetic in compute shaders with subgroupSizeControl and computeFullSubgroups"
            }
            Self::FloatAtomics => "VK_EXT_shader_atomic_float (shaderBufferFloat32AtomicAdd)",
            Self::PreciseOcclusion => "occlusionQueryPrecise",
            Self::FragmentStores => "fragmentStoresAndAtomics",
        }
    }
}

/// What the caller wants of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// Take it where the device has it.
    #[default]
    Auto,
    /// Do without it.
    Off,
    /// Refuse a device that lacks it.
    Require,
}

/// What became of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureState {
    /// The device lacks it.
    Unavailable,
    /// The device has it, the caller turned it off.
    Off,
    /// The device has it and queries use it.
    On,
}

/// The caller's choices, one for each of [`DeviceFeature::ALL`].
pub type Choices = [Choice; DeviceFeature::ALL.len()];

/// The path taken for each feature.
#[derive(Debug, Clone, Copy)]
pub struct Paths([FeatureState; DeviceFeature::ALL.len()]);

impl Paths {
    /// Those of a device that has none of the features.
    pub(crate) fn none() -> Self {
        Self([FeatureState::Unavailable; DeviceFeature::ALL.len()])
    }

    /// Settles every feature from what the device has and what the caller wants.
    pub fn settle(
        available: impl Fn(DeviceFeature) -> bool,
        choices: &Choices,
        device: &str,
    ) -> Result<Self> {
        let mut paths = [FeatureState::Unavailable; DeviceFeature::ALL.len()];
        let mut missing = Vec::new();
        for (path, (feature, choice)) in paths
            .iter_mut()
            .zip(DeviceFeature::ALL.into_iter().zip(choices))
        {
            *path = match (available(feature), choice) {
                (true, Choice::Off) => FeatureState::Off,
                (true, _) => FeatureState::On,
                (false, _) => FeatureState::Unavailable,
            };
            if *choice == Choice::Require && *path != FeatureState::On {
                missing.push(feature.name());
            }
        }
        if missing.is_empty() {
            return Ok(Self(paths));
        }
        Err(Error::Unsupported(format!(
            "{device} lacks what the def requires: {}; choose PRX_CHOICE_AUTO or another device",
            missing.join(", ")
        )))
    }

    /// The path taken for a feature.
    pub fn get(&self, feature: DeviceFeature) -> FeatureState {
        self.0[feature as usize]
    }

    /// Whether queries use the feature.
    pub fn on(&self, feature: DeviceFeature) -> bool {
        self.get(feature) == FeatureState::On
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_feature_that_is_missing_is_named() {
        let mut choices = Choices::default();
        choices[DeviceFeature::DepthBounds as usize] = Choice::Require;
        let error = Paths::settle(|_| false, &choices, "a device")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("depthBounds") && error.contains("a device"),
            "{error}"
        );
    }

    #[test]
    fn off_wins_over_available() {
        let mut choices = Choices::default();
        choices[DeviceFeature::Subgroups as usize] = Choice::Off;
        let paths = Paths::settle(|_| true, &choices, "a device").unwrap();
        assert_eq!(paths.get(DeviceFeature::Subgroups), FeatureState::Off);
        assert_eq!(paths.get(DeviceFeature::GeometryShader), FeatureState::On);
    }
}
