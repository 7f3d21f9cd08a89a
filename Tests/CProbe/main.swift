// Drives everything that touches C and checks what comes of it: what a library is given must live as
// long as the library uses it. A debug build keeps values longer than a release build does, so that
// only a release build shows it; `make probe-c`.

import Glibc

try await probePictures()
try await probeQRCodes()
try await probeCryptography()
try await probeStore()
try await probeDatabase()
try await probeMail()
try await probeWebhooks()
try await probeJoinedServer()
try await probeLinks()
try await probeServer()
try await probePrograms()
exit(Report.end())

/// What has been found.
@MainActor
enum Report {
  private static var count = 0
  private static var mismatches = 0

  /// Notes whether something is as it should be.
  static func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    count += 1
    guard !isRight else { return }
    mismatches += 1
    guard mismatches <= 50 else { return }
    print("mismatch: \(what())")
    // What comes next may be the end of the process.
    fflush(nil)
  }

  /// - Returns: the program's exit code.
  static func end() -> Int32 {
    print("\(count) checks, \(mismatches) mismatches")
    return mismatches == 0 ? 0 : 1
  }
}

extension Result where Success: Sendable {
  /// What a body came to.
  init(_ body: @Sendable () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
