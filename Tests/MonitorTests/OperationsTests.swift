import Foundation
import Testing

/// Checks that `docs/operations.md` lists exactly the lines that the monitor can log.
@Suite struct OperationsTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The texts of the sources that log lines.
  static func sources() throws -> [String] {
    try ["Monitor", "MonitorProgram"].flatMap { module in
      let folder = root.appending(path: "Sources/\(module)").path
      return try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }
  }

  /// The log lines in the sources, with `…` for interpolated values.
  static func written() throws -> [String] {
    try sources().flatMap { text in
      // A line can be concatenated from several literals.
      let call =
        /[lL]og\.(?:info|warning|error)\(\s*(?<parts>"(?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\))*"(?:\s*\+\s*"(?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\))*")*)/
      return text.matches(of: call).map { match in
        match.parts.replacing(/"\s*\+\s*"/, with: "").trimmingCharacters(in: ["\""])
          .replacing(/\\\((?:[^()]|\([^()]*\))*\)/, with: "…")
      }
    }
  }

  /// The number of calls in the sources that log a line.
  static func calls() throws -> Int {
    try sources().reduce(0) { $0 + $1.matches(of: /[lL]og\.(info|warning|error)\(/).count }
  }

  static func documented() throws -> [String] {
    let page = try String(
      contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
    return page.matches(of: /(?m)^\| `([^`]+)` \| (?:info|warning|error) \|/).map { String($0.1) }
  }

  @Test("docs/operations.md explains exactly the lines that the monitor can log")
  func lines() throws {
    let written = try Self.written()
    #expect(written.count == (try Self.calls()), "a line is written in a way that this cannot read")
    #expect(Set(try Self.documented()) == Set(written))
    #expect(try Self.documented().count == Set(written).count)
  }

  @Test("The service units have the watchdog time that docs/operations.md names")
  func times() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/operations.md"), encoding: .utf8)
    for unit in ["user", "system"] {
      let text = try String(
        contentsOf: Self.root.appending(path: "Resources/Service/\(unit).service"), encoding: .utf8)
      #expect(text.contains("\nWatchdogSec=3min\n"))
    }
    #expect(page.contains("`WatchdogSec=` (3 minutes)"))
  }
}
