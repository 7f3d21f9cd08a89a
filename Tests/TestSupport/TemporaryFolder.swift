import Foundation
import Glibc
import Testing

/// A folder that is deleted with its last user.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/lifesignal-tests-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names in it, hidden ones too.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
  }

  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Checks that an operation throws an error and nothing else.
func expect<Failure: Error & Equatable, Value>(
  _ expected: Failure, sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: () async throws(Failure) -> Value
) async {
  do throws(Failure) {
    let value = try await operation()
    Issue.record("expected \(expected), got \(value)", sourceLocation: sourceLocation)
  } catch {
    #expect(error == expected, sourceLocation: sourceLocation)
  }
}
