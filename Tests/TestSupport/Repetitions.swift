import Glibc

/// Whether the tests run at night, when they can take longer: `make nightly` sets `NIGHTLY`.
package var isNight: Bool { getenv("NIGHTLY") != nil }

/// The number of times a randomized test repeats.
package func repetitions(_ usual: Int, nightly: Int) -> Int { isNight ? nightly : usual }
