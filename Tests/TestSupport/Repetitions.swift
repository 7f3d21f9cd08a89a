import Glibc

/// The number of times a randomized test repeats. `make nightly` sets `NIGHTLY`, which selects the
/// larger one.
package func repetitions(_ usual: Int, nightly: Int) -> Int {
  getenv("NIGHTLY") == nil ? usual : nightly
}
