import Glibc

/// How often a test with random input repeats: `make nightly` sets `NIGHTLY` and takes the larger number.
package func repetitions(_ usual: Int, nightly: Int) -> Int {
  getenv("NIGHTLY") == nil ? usual : nightly
}
