import Glibc

/// The file of a recorded snapshot, next to the test that uses it.
struct SnapshotFile {
  let path: String
  /// The folders that must exist before the file can be written, from the outermost inwards.
  private let folders: [String]

  /// - Parameter name: The name of the snapshot, which can include a folder, as in `looks/profile`.
  init(name: String, besideTest testPath: String) {
    let end = testPath.lastIndex(of: "/") ?? testPath.startIndex
    let folder = String(testPath[..<end]) + "/__Snapshots__"
    path = folder + "/" + name + ".txt"
    let inner = name.lastIndex(of: "/").map { String(name[..<$0]) }
    folders = [folder] + (inner.map { ["\(folder)/\($0)"] } ?? [])
  }

  /// Whether snapshots are recorded instead of checked.
  static var isRecording: Bool { getenv("RECORD_SNAPSHOTS") != nil }

  /// Returns the recorded text; `nil` if there is none.
  func read() -> String? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String) {
    for folder in folders { mkdir(folder, 0o755) }
    guard let file = fopen(path, "wb") else { return }
    defer { fclose(file) }
    var text = text
    text.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, file) }
  }
}
