import FoundationEssentials
import Glibc

/// A temporary folder, deleted when the last reference to it is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/lifesignal-tests-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of its files, including hidden ones.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String, mode: UInt32? = nil) throws -> String {
    let path = self.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    if let mode { chmod(path, mode) }
    return path
  }

  /// The contents of a file, or `nil` if it doesn't exist.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
