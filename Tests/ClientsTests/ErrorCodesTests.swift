import Clients
import Domain
import FoundationEssentials
import Testing

/// The table of all errors in `docs/errors.md`.
@Suite struct ErrorCodesTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the codes of errors in the sources, each with its file.
  static func codes() throws -> [(code: String, file: String)] {
    let sources = root.appending(path: "Sources").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
    return try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      return text.matches(of: /ErrorText\(\s*"([A-Z_]+)"/).map { (String($0.1), file) }
    }
  }

  /// Returns the codes in the first column of the table.
  static func documented() throws -> [String] {
    let page = try String(
      contentsOfFile: root.appending(path: "docs/errors.md").path, encoding: .utf8)
    return page.matches(of: /(?m)^\| `([A-Z_]+)` \|/).map { String($0.1) }
  }

  @Test("Every error code is declared only once")
  func unique() throws {
    let codes = try Self.codes()
    #expect(codes.count > 50, "the sources are found")
    for (code, uses) in Dictionary(grouping: codes, by: \.code) {
      #expect(uses.count == 1, "\(code) is in \(uses.map(\.file))")
    }
  }

  @Test("docs/errors.md lists every error code in order, and no other")
  func table() throws {
    let documented = try Self.documented()
    #expect(documented == documented.sorted())
    #expect(Set(documented) == Set(try Self.codes().map(\.code)))
    #expect(documented.count == Set(documented).count)
  }

  @Test("AUTH-3: the error of a lock says at what time of day the lock ends")
  func locks() {
    let end = Date(timeIntervalSince1970: 1_800_000_000)
    let time = "Try again after \(CivilCalendar.local.time(of: end).clock)."
    #expect(GateError.locked(until: end).text.recovery == time)
    #expect(ClientError.tooManyAttempts(until: end).text.recovery == time)
  }

  @Test("Errors belong to the domain, infrastructure or validation family of their layer")
  func families() {
    #expect(StorageError.busy.family == .infrastructure)
    #expect(KeychainError.unavailable("").family == .infrastructure)
    #expect(ClientError.storage(.full).family == .infrastructure)
    #expect(ValidationError.email.family == .validation)
    #expect(ClientError.invalid(.email).family == .validation)
    #expect(GateError.wrong.family == .domain)
    #expect(ClientError.contactNotFound.family == .domain)
    #expect(ClientError.unimplemented("x").family == .infrastructure)
  }
}
