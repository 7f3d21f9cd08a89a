import Foundation
import Testing

/// Holds every room to the imports that `docs/architecture.md` allows it.
@Suite struct ImportRuleTests {
  static let allowed: [String: Set<String>] = [
    "Composable": [],
    "ComposableTesting": ["Composable", "Testing"],
    "Terminal": ["CTerminal"],
    "TerminalTesting": ["Terminal", "CTerminal", "Testing"],
    "Domain": [],
    "Clients": ["Composable", "Domain"],
    "Features": ["Composable", "Terminal", "Clients", "Domain"],
    "InMemoryPlatform": ["Clients", "Domain", "Composable", "Cryptography"],
    "Cryptography": ["Domain", "CSodium"],
    "QRCodes": ["Clients", "Domain", "CQRencode", "CPNG", "CJPEGShim", "CZXingShim"],
    "Pictures": ["Clients", "Domain", "CPNG", "CJPEGShim"],
    "Files": ["Clients", "Domain"],
    "Processes": [],
    "EmbeddedPlatform": [
      "Clients", "Domain", "Composable", "Cryptography", "Processes", "CSQLite",
    ],
    "Monitor": ["Clients", "Domain", "Composable", "Cryptography"],
    "Delivery": [
      "Clients", "Domain", "Cryptography", "Processes", "CCurl", "CCurlShim", "CMicroHTTPD",
      "CMicroHTTPDShim",
    ],
    "CommandLine": [
      "Composable", "Terminal", "Domain", "Clients", "Features", "InMemoryPlatform",
      "EmbeddedPlatform", "QRCodes", "Pictures", "Files", "Monitor",
    ],
    "lifesignal": ["CommandLine", "Files"],
    "Simulation": [
      "Monitor", "InMemoryPlatform", "EmbeddedPlatform", "Cryptography", "Clients", "Domain",
      "Composable",
    ],
    "simulate": ["Simulation"],
    "gallery": ["Composable", "Terminal"],
    "MonitorProgram": [
      "Monitor", "Delivery", "EmbeddedPlatform", "Files", "Clients", "Domain", "Composable",
    ],
    "lifesignal-monitor": ["MonitorProgram", "Files"],
  ]

  /// What every room may use of the toolchain. Foundation is not among them: it triples the time to
  /// start.
  static let toolchain: Set<String> = [
    "Glibc", "Dispatch", "Synchronization", "FoundationEssentials",
  ]

  @Test("No room reaches around its neighbour", arguments: allowed.keys.sorted())
  func imports(room: String) throws {
    let sources = #filePath.replacing(
      "Tests/CommandLineTests/ImportRuleTests.swift", with: "Sources")
    let folder = sources + "/" + room
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    let permitted = Self.allowed[room]!.union(Self.toolchain)
    for file in files {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
          words[..<index].allSatisfy({
            ["public", "@preconcurrency", "@_exported", "internal"].contains($0)
          })
        else { continue }
        #expect(permitted.contains(words[index + 1]), "\(room)/\(file): \(line)")
      }
    }
  }

  @Test func everyRoomIsHeldToARule() throws {
    let sources = #filePath.replacing(
      "Tests/CommandLineTests/ImportRuleTests.swift", with: "Sources")
    let rooms = try FileManager.default.contentsOfDirectory(atPath: sources)
      .filter {
        !$0.hasPrefix("C")
          || ["Composable", "ComposableTesting", "Clients", "CommandLine", "Cryptography"]
            .contains($0)
      }
      .filter { $0 != "Benchmarks" }
    #expect(Set(rooms) == Set(Self.allowed.keys))
  }
}
