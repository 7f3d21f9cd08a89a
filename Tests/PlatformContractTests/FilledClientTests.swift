import Foundation
import Testing

/// Checks that every implementation of a client sets all of its operations. The compiler can't,
/// since every operation has a default.
@Suite struct FilledClientTests {
  static let sources = #filePath.replacing(
    "Tests/PlatformContractTests/FilledClientTests.swift", with: "Sources/")

  static func texts(in folder: String) throws -> [(file: String, text: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: sources + folder)
      .filter { $0.hasSuffix(".swift") }
      .map { ($0, try String(contentsOfFile: sources + folder + "/" + $0, encoding: .utf8)) }
  }

  /// The operations of each client that have no working default.
  static func operations() throws -> [String: Set<String>] {
    var operations: [String: Set<String>] = [:]
    for (_, text) in try texts(in: "Clients") {
      for match in text.matches(of: #/(?:unimplemented|Endpoint)\(\s*"(\w+)\.(\w+)"/#) {
        operations[String(match.1), default: []].insert(String(match.2))
      }
    }
    return operations
  }

  @Test("Every place that builds a client sets all of the client's operations")
  func filled() throws {
    let operations = try Self.operations()
    var count = 0
    for (file, text) in try Self.texts(in: "") {
      for match in text.matches(of: #/(?m)^( *).*\b(\w+Client) \{(?: \[\w+\] in)?\n(\s+\$0\.)/#) {
        let rest = text[match.range.lowerBound...]
        let end = rest.firstRange(of: "\n\(match.1)}")?.lowerBound ?? rest.endIndex
        let block = rest.prefix(upTo: end)
        let filled = Set(block.matches(of: #/\$0\.(\w+) =/#).map { String($0.1) })
        let missing = operations[String(match.2), default: []].subtracting(filled)
        #expect(missing.isEmpty, "\(file): \(match.2) without \(missing.sorted())")
        count += 1
      }
    }
    #expect(count > 20)
  }
}
