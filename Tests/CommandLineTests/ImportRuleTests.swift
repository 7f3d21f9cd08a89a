import Foundation
import Testing

/// Checks that every module imports only the dependencies that Package.swift declares for it. The
/// compiler also allows indirect ones.
@Suite struct ImportRuleTests {
  static let root = #filePath.replacing("Tests/CommandLineTests/ImportRuleTests.swift", with: "")

  /// The toolchain modules that every module can import. Foundation isn't one of them, because it
  /// triples the launch time.
  static let toolchain: Set<String> = [
    "Glibc", "Dispatch", "Synchronization", "FoundationEssentials",
  ]

  struct Module: CustomTestStringConvertible, Sendable {
    var name: String
    var folder: String
    var dependencies: Set<String>
    var testDescription: String { name }
  }

  /// The modules declared with `module("Clients", uses: ["Composable", "Domain"])`, `program` or
  /// `tool`.
  static let modules: [Module] = {
    let package = (try? String(contentsOfFile: root + "Package.swift", encoding: .utf8)) ?? ""
    let declaration =
      #/\b(module|program|tool)\(\s*"([\w-]+)"(?:,\s*uses: \[([^\]]*)\])?(?:,\s*path: "([^"]+)")?/#
    return package.matches(of: declaration).map { match in
      let name = String(match.2)
      let folder = match.4.map(String.init) ?? "Sources/\(match.1 == "tool" ? "Tools/" : "")\(name)"
      let names = (match.3 ?? "").matches(of: #/"([^"]+)"/#).map { String($0.1) }
      return Module(name: name, folder: folder, dependencies: Set(names))
    }
    .filter { $0.folder.hasPrefix("Sources/") }
  }()

  @Test(
    "Every module imports only the dependencies that Package.swift declares for it",
    arguments: modules)
  func imports(module: Module) throws {
    let permitted = module.dependencies.union(Self.toolchain)
      .union(module.name.hasSuffix("Testing") ? ["Testing"] : [])
    for (name, place) in try Self.imports(of: module) {
      #expect(permitted.contains(name), "\(place)")
    }
  }

  @Test(
    "A program can use the core, the terminal and their tests without linking Foundation",
    arguments: ["TerminalComposable", "TerminalExtras", "TerminalTesting", "ComposableTesting"])
  func withoutFoundation(library: String) throws {
    let names = Self.reach(of: library).union([library])
    let modules = Self.modules.filter { names.contains($0.name) }
    #expect(modules.count > 1)
    for module in modules {
      for (name, place) in try Self.imports(of: module) {
        #expect(!name.hasPrefix("Foundation"), "\(place)")
      }
    }
  }

  /// What the files of a module import, and where.
  private static func imports(of module: Module) throws -> [(name: String, place: String)] {
    let folder = root + module.folder
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    return try files.flatMap { file in
      try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        .matches(of: #/(?m)^(?:@\w+ |\w+ )*import (?:struct )?(\w+)/#)
        .map { (String($0.1), "\(module.folder)/\(file): \($0.0)") }
    }
  }

  @Test("Every folder of Sources holds modules that Package.swift declares, or is the folder C")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root + "Sources")
    let own = Self.modules.map { $0.folder.split(separator: "/")[1] }.map(String.init)
    #expect(Set(folders) == Set(own).union(["C"]))
  }

  @Test("Every feature has a view in its file or beside it, and is named in a test")
  func featureFolders() throws {
    let root = Self.root + "Sources/Features/"
    let files = try #require(FileManager.default.enumerator(atPath: root))
      .compactMap { $0 as? String }.filter { $0.hasSuffix("Feature.swift") }
    let tests = try FileManager.default.contentsOfDirectory(
      atPath: Self.root + "Tests/FeaturesTests"
    )
    .filter { $0.hasSuffix(".swift") }
    .map {
      try String(contentsOfFile: Self.root + "Tests/FeaturesTests/" + $0, encoding: .utf8)
    }
    var lacking: [String] = []
    let protocols = ["Sheets/FormFeature.swift", "Sheets/SheetFeature.swift"]
    for file in files where !protocols.contains(file) {
      let feature = file.split(separator: "/").last!.dropLast(6)
      let view = root + file.dropLast("Feature.swift".count) + "View.swift"
      let text = try String(contentsOfFile: root + file, encoding: .utf8)
      if !FileManager.default.fileExists(atPath: view), !text.contains(/struct \w+: View \{/) {
        lacking.append("\(feature): a view")
      }
      if !tests.contains(where: { $0.contains(feature) }) { lacking.append("\(feature): a test") }
    }
    #expect(files.count > 30)
    #expect(lacking == [])
  }

  /// The folders of Features that each one can use; App and Debug can use all.
  static let areas: [(name: String, uses: Set<String>)] =
    [
      ("Common", []), ("Sheets", ["Common"]), ("SharedSheets", ["Common", "Sheets"]),
    ]
    + ["CheckIn", "Contacts", "Alerts", "Profile", "SignIn"].map {
      ($0, ["Common", "Sheets", "SharedSheets"])
    }

  @Test("The areas of Features don't know each other: each uses only the folders that all share")
  func featureAreas() throws {
    let root = Self.root + "Sources/Features/"
    let folders = try FileManager.default.contentsOfDirectory(atPath: root)
    #expect(Set(folders) == Set(Self.areas.map(\.name)).union(["App", "Debug"]))
    let declaration =
      #/(?m)^(?:@\w+ |public |package |final |indirect )*(?:struct|enum|class|protocol|typealias) (\w+)/#
    var declared: [String: Set<String>] = [:]
    var used: [String: Set<String>] = [:]
    for folder in folders {
      for case let file as String in try #require(
        FileManager.default.enumerator(atPath: root + folder)) where file.hasSuffix(".swift")
      {
        let text = try String(contentsOfFile: root + folder + "/" + file, encoding: .utf8)
          .replacing(#/\/\/.*|"(?:\\.|[^"\\])*"/#, with: "")
        for match in text.matches(of: declaration) {
          declared[String(match.1), default: []].insert(folder)
        }
        used[folder, default: []].formUnion(text.matches(of: #/\b[A-Z]\w+/#).map { String($0.0) })
      }
    }
    #expect(declared.count > 150)
    for area in Self.areas {
      for (type, folders) in declared
      where used[area.name]?.contains(type) == true && !folders.contains(area.name) {
        #expect(!folders.isDisjoint(with: area.uses), "\(area.name) uses \(type) of \(folders)")
      }
    }
  }

  @Test("Features take dates, sleeps, UUIDs and shared objects only from dependencies")
  func features() throws {
    let folder = Self.root + "Sources/Features"
    let forbidden = #/\b(?:Date\(\)|Date\.now|UUID\(\)|ContinuousClock\(\)|Task\.sleep)|\.shared\b/#
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 100)
    for file in files {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      for match in text.matches(of: forbidden) { Issue.record("\(file): \(match.output)") }
    }
  }

  @Test("Every test store with exhaustivity off has a comment that says why")
  func exhaustivity() throws {
    let folder = Self.root + "Tests"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 100)
    // In two parts, so that this file has none.
    let mode = "exhaustivity = " + ".off"
    for file in files {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      guard text.contains(mode) else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in zip(1..., lines) where line.contains(mode) {
        let above = number == 1 ? "" : lines[number - 2]
        let isExplained =
          line.contains("//") || above.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        #expect(isExplained, "\(file):\(number): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }

  /// The direct and indirect dependencies of a module.
  private static func reach(of name: String) -> Set<String> {
    var reached: Set<String> = []
    var next = [name]
    while let module = next.popLast() {
      for dependency in modules.first(where: { $0.name == module })?.dependencies ?? []
      where reached.insert(dependency).inserted { next.append(dependency) }
    }
    return reached
  }

  @Test("Composable and Domain depend on no module; Features and Store reach no system library")
  func layers() {
    #expect(Self.reach(of: "Composable").isEmpty && Self.reach(of: "Domain").isEmpty)
    #expect(Self.reach(of: "Terminal") == ["CTerminal"])
    #expect(Self.reach(of: "Clients").isDisjoint(with: Self.reach(of: "Terminal")))
    // Only platform modules link system libraries; the app needs none.
    let libraries = Self.reach(of: "Features").filter { $0.hasPrefix("C") && !isModule($0) }
    #expect(libraries == ["CTerminal"])
    #expect(Self.reach(of: "Store").isDisjoint(with: ["CSQLite", "System"]))
    #expect(Self.reach(of: "SQLite").contains("CSQLite"))
    #expect(Self.reach(of: "PostgreSQL").contains("CPostgreSQL"))
    // Libraries that the app doesn't need would slow down its launch. CCurlShim isn't linked to
    // libcurl.
    #expect(Self.reach(of: "CommandLine").isDisjoint(with: ["CPostgreSQL", "CMicroHTTPD"]))
  }

  private func isModule(_ name: String) -> Bool { Self.modules.contains { $0.name == name } }

  @Test("docs/architecture.md draws no dependency that Package.swift doesn't declare")
  func picture() throws {
    let page = try String(contentsOfFile: Self.root + "docs/architecture.md", encoding: .utf8)
    let lines = page.split(separator: "\n").drop { $0 != "graph LR" }.dropFirst()
      .prefix { $0 != "```" }
    #expect(lines.count > 10)
    for line in lines {
      // In `monitor[lifesignal-monitor] --> MonitorProgram & System`, brackets contain the real
      // name.
      let columns = line.split(separator: "-->").map { column in
        column.split(separator: "&").map { name in
          let name = name.trimmingCharacters(in: .whitespaces)
          return name.firstMatch(of: #/\[(.+)\]/#).map { String($0.1) } ?? name
        }
      }
      for (modules, dependencies) in zip(columns, columns.dropFirst()) {
        for module in modules {
          let drawn = Set(dependencies)
          #expect(drawn.isSubset(of: Self.modules.first { $0.name == module }?.dependencies ?? []))
        }
      }
    }
  }
}
