import Foundation
import Testing

/// Nothing is identified by a name or a text: two people can have the same name, and texts are
/// reworded.
@Suite struct IdentityTests {
  /// Patterns of code that compares or finds things by text meant for people.
  private static let patterns = [
    ("an error's code", #"\.(code|errorCode) == ("|[a-zA-Z.]+\.(code|errorCode))"#),
    (
      "a text",
      #"\.(detail|subject|message|title|summary|description|sentence)\.(hasPrefix|hasSuffix|contains)\("#
    ),
    (
      "a name",
      #"(recipientName|(contact|person|responder|profile)\.name) (==|!=) |(==|!=) (contact|person|responder|profile)\.name"#
    ),
    ("a set of names", #"Set\([a-z]+\.map\(\\\.(name|recipient|recipientName)\)\)"#),
  ]

  /// The lines that are allowed to.
  private static let allowed = [
    // The exit codes of commands.
    "return (common.filter { entry in !own.contains { $0.code == entry.code } } + own)"
  ]

  @Test("No source code identifies a person, contact or error by a name or a text")
  func patterns() throws {
    let root = #filePath.replacing("Tests/FeaturesTests/IdentityTests.swift", with: "Sources/")
    let folders = [
      "Clients", "CommandLine", "Delivery", "Domain", "EmbeddedPlatform", "Features",
      "Monitor", "MonitorProgram",
    ]
    var found: [String] = []
    for folder in folders {
      let files = FileManager.default.enumerator(atPath: root + folder)
      for case let file as String in files! where file.hasSuffix(".swift") {
        let text = try String(contentsOfFile: root + folder + "/" + file, encoding: .utf8)
        for line in text.split(separator: "\n") where !line.contains("//") {
          for (name, pattern) in Self.patterns
          where line.range(of: pattern, options: .regularExpression) != nil {
            let code = line.trimmingCharacters(in: .whitespaces)
            if !Self.allowed.contains(code) { found.append("\(folder)/\(file): \(name): \(code)") }
          }
        }
      }
    }
    #expect(found == [])
  }
}
