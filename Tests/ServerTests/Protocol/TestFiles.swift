import Foundation

/// Access to source files as text.
enum TestFiles {
  static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  static func write(_ text: some StringProtocol, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  static func swift(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
  }
}
