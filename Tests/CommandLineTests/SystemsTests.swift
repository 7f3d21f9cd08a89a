import Foundation
import Testing

/// Checks `docs/systems.md`, `docs/combinations.md` and `docs/hazards.md`: each system and each pair of
/// rules appears once, each hazard has a rule, and all have files and tests that exist.
@Suite struct SystemsTests {
  static let root = #filePath.replacing("Tests/CommandLineTests/SystemsTests.swift", with: "")

  static func lines(of page: String = "docs/systems.md") throws -> [Substring] {
    try String(contentsOfFile: root + page, encoding: .utf8).split(separator: "\n")
  }

  /// The rows of the numbered tables: number, system, implementation, test.
  static func systems() throws -> [[String]] {
    try lines().filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { Int($0[0]) != nil }
  }

  /// The full path for a path on the page, or `nil` if it doesn't exist.
  static func place(_ path: Substring) -> String? {
    ["", "Sources/", "Tests/"].map { root + $0 + path }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  @Test func everySystem_isThereOnce() throws {
    #expect(try Self.systems().compactMap { Int($0[0]) } == Array(1...161))
  }

  @Test func everySystem_hasAFileOrSaysWhyNot() throws {
    for row in try Self.systems() {
      try #require(row.count == 4, "\(row)")
      #expect(
        row[2].contains("`") || row[2].hasPrefix("not yet") || row[2].hasPrefix("none"), "\(row)")
    }
  }

  @Test(arguments: ["docs/systems.md", "docs/combinations.md", "docs/hazards.md"])
  func everyFileAndTest_isThere(_ page: String) throws {
    for line in try Self.lines(of: page) {
      var file: String?
      for match in line.matches(of: /`(?<path>[^`]+)`|“(?<test>[^”]+)”/) {
        if let path = match.path {
          file = Self.place(path)
          #expect(file != nil, "\(path) in: \(line)")
        } else if let test = match.test, line.hasPrefix("|") {
          let source = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
          #expect(source.contains("\"\(test)\"") || source.contains("func \(test)("), "\(line)")
        }
      }
    }
  }

  /// The text of each Swift file of the sources, by its name without the suffix.
  static func sources() throws -> [(name: String, text: String)] {
    try #require(FileManager.default.enumerator(atPath: root + "Sources"))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { file in
        let name = file.split(separator: "/").last!.dropLast(6)
        return (String(name), try String(contentsOfFile: root + "Sources/" + file, encoding: .utf8))
      }
  }

  /// The page without its paths, which name files rather than what is in them.
  static func withoutPaths(_ text: some StringProtocol) -> String {
    String(text).replacing(/`[^`]*`/, with: "")
  }

  @Test("docs/systems.md names only client operations that are declared")
  func operations() throws {
    let sources = try Self.sources()
    let page = Self.withoutPaths(
      try String(contentsOfFile: Self.root + "docs/systems.md", encoding: .utf8))
    var names: Set<String> = []
    var missing: [String] = []
    for match in page.matches(of: /\b([A-Z]\w*Client)\.([a-z]\w*)/) {
      guard names.insert(String(match.0)).inserted else { continue }
      let declaration = try Regex("(?:var|func) \(match.2)\\b")
      let isDeclared = sources.contains { file in
        (file.name == match.1 || file.text.contains("extension \(match.1) {"))
          && file.text.contains(declaration)
      }
      if !isDeclared { missing.append(String(match.0)) }
    }
    #expect(names.count > 70)
    #expect(missing == [])
  }

  @Test("docs/systems.md names only types that are declared")
  func types() throws {
    let declared = Set(
      try Self.sources().flatMap { file in
        file.text.matches(of: /(?:struct|class|enum|actor|protocol|typealias) (\w+)/)
          .map { String($0.1) }
      })
    // The tables and what is bold have the design's names.
    let named = try Self.lines().drop { !$0.hasPrefix("## What each client") }
      .filter { !$0.hasPrefix("|") }
      .flatMap { line in
        Self.withoutPaths(line).replacing(/\*\*.*?\*\*/, with: "")
          .matches(of: /\b([A-Z][A-Za-z]*(?:Client|Feature|Error|Text))\b/).map { String($0.1) }
      }
    #expect(named.count > 15)
    #expect(Set(named).subtracting(declared).sorted() == [])
  }

  @Test func everyHazard_hasARuleAndATestOrSaysWhatIsLeft() throws {
    let rows = try Self.lines(of: "docs/hazards.md").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0.first != "Hazard" }
    #expect(rows.count > 40)
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    for row in rows {
      try #require(row.count == 4, "\(row)")
      #expect(row[2].contains("“") || row[2] == "not yet" && row[3] != "–", "\(row)")
    }
  }

  /// The rules whose pairs `docs/combinations.md` lists.
  static let rules = [
    "drill", "manual", "missed", "silent", "pause", "gate", "lock-out", "offline store", "deletion",
  ]

  @Test func everyPairOfRules_isThereOnceWithATest() throws {
    let rows = try Self.lines(of: "docs/combinations.md").filter { $0.contains(" × ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { !$0[0].hasPrefix("armed") }
    let pairs = Self.rules.indices.flatMap { index in
      Self.rules[(index + 1)...].map { "\(Self.rules[index]) × \($0)" }
    }
    #expect(rows.map { $0[0] } == pairs)
    for row in rows { #expect(row.count == 3 && row[2].contains("“"), "\(row)") }
  }
}
