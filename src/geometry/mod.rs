//! Exact CPU geometry: no GPU in here. It is the last stage of the exact queries and the oracle of the others.
