// Exercises all code that calls C and checks the results: values passed to a library must live as
// long as the library uses them. Debug builds keep values alive longer, so only a release build
// reveals mistakes: `make probe-c`.

import Glibc

// First, while libcurl isn't loaded.
try await probeMissingLibrary()
try await probePictures()
try await probeQRCodes()
try await probeCryptography()
try await probeStore()
try await probeDatabase()
try await probeMail()
probeAddresses()
try await probeSlowGreeting()
try await probeWebhooks()
try await probeJoinedServer()
try await probeLinks()
try await probeServer()
try await probePrograms()
exit(Report.end())

/// The results of the checks.
@MainActor
enum Report {
  private static var count = 0
  private static var mismatches = 0

  /// Records a check, and prints a mismatch.
  static func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    count += 1
    guard !isRight else { return }
    mismatches += 1
    guard mismatches <= 50 else { return }
    print("mismatch: \(what())")
    // Flush the output, since the process may crash next.
    fflush(nil)
  }

  /// Prints the totals.
  /// - Returns: The program's exit code.
  static func end() -> Int32 {
    print("\(count) checks, \(mismatches) mismatches")
    return mismatches == 0 ? 0 : 1
  }
}

extension Result where Success: Sendable {
  /// Creates the result of running `body`.
  init(_ body: @Sendable () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
