import FoundationEssentials
import Glibc

/// Calls `body` with a temporary folder, which is deleted afterwards.
package func withTemporaryFolder<Value>(_ body: (_ path: String) throws -> Value) throws -> Value {
  // In memory if possible: disks are tested elsewhere.
  let parent =
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  var template = Array("\(parent)/simulation-XXXXXX".utf8CString)
  guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
    throw CocoaError(.fileWriteUnknown)
  }
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}
