import Clients
import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// The systemd units: their snapshots and systemd's own verdict.
struct ServiceUnitTests {
  static let snapshots = #filePath.replacing("ServiceUnitTests.swift", with: "__Snapshots__/")
  static let folders = Folders(
    data: "/home/ada/.local/share/lifesignal", config: "/home/ada/.config/lifesignal",
    state: "/home/ada/.local/state/lifesignal")

  static func unit(
    _ manager: ServiceUnit.Manager, program: String = "/usr/local/bin/lifesignal-monitor",
    folders: Folders = folders, variables: [String: String] = ["HOME": "/home/ada"]
  ) throws -> ServiceUnit {
    try ServiceUnit(for: manager, program: program, folders: folders, variables: variables)
  }

  @Test(
    arguments: [
      ("user.service", ServiceUnit.Manager.user), ("system.service", .system(user: "ada")),
    ])
  func text_isAsRecorded(name: String, manager: ServiceUnit.Manager) throws {
    let text = try Self.unit(manager).text
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        atPath: Self.snapshots, withIntermediateDirectories: true)
      try text.write(toFile: Self.snapshots + name, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.snapshots + name, encoding: .utf8) == text)
  }

  @Test func everyPlaceholder_isFilled() throws {
    for manager in [ServiceUnit.Manager.user, .system(user: "ada")] {
      #expect(try !Self.unit(manager).text.contains(/[{}]/))
    }
  }

  @Test func paths_areQuoted() throws {
    let folders = Folders(data: #"/home/a "b" 50%/d"#, config: "/c", state: #"/s\$x"#)
    let text = try Self.unit(
      .user, program: "/opt/my tools/lifesignal-monitor", folders: folders,
      variables: ["HOME": "/home/ada", "XDG_DATA_HOME": "/home/a b", "XDG_STATE_HOME": "relative"]
    ).text
    #expect(text.contains("ExecStart=\"/opt/my tools/lifesignal-monitor\"\n"))
    #expect(text.contains(#"ReadWritePaths="/home/a \"b\" 50%%/d" "/s\\$$x""#))
    #expect(text.contains("Environment=\"XDG_DATA_HOME=/home/a b\"\n"))
    #expect(!text.contains("relative"))
  }

  @Test(arguments: ["/home/a\nExecStart=/bin/evil", "/home/\u{1B}[31m"])
  func pathsThatWouldWriteLines_areRefused(path: String) {
    #expect(throws: ServiceUnit.Unwritable.self) { try Self.unit(.user, program: path) }
    #expect(throws: ServiceUnit.Unwritable.self) {
      try Self.unit(.user, folders: Folders(data: path, config: "/c", state: "/s"))
    }
    #expect(throws: ServiceUnit.Unwritable.self) { try Self.unit(.system(user: "ada\nUser=root")) }
  }

  @Test func origin_isTold() throws {
    let unit = try Self.unit(.user)
    let older = try Self.unit(.user, program: "/opt/lifesignal-monitor").text
    #expect(unit.origin(of: unit.text) == .current)
    #expect(unit.origin(of: older) == .outdated)
    #expect(unit.origin(of: older.replacing("10s", with: "11s")) == .foreign)
    #expect(unit.origin(of: unit.text + "\n") == .foreign)
    #expect(unit.origin(of: "") == .foreign)
    #expect(unit.origin(of: "[Service]\nExecStart=/bin/true\n") == .foreign)
  }

  /// If systemd is installed, it accepts the units and rates their exposure as `docs/operations.md`
  /// says.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")),
    arguments: [(ServiceUnit.Manager.user, "57"), (.system(user: "daemon"), "15")])
  func systemd_acceptsTheUnit(manager: ServiceUnit.Manager, threshold: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      Self.unit(manager, program: "/usr/bin/true").text, to: ServiceUnit.name)
    let scope = manager == .user ? "--user" : "--system"
    let verified = try Self.run(
      ["systemd-analyze", scope, "verify", "--man=no", file], runtime: folder.path)
    #expect(verified.code == 0 && verified.output.isEmpty, "\(verified.output)")
    let judged = try Self.run(
      ["systemd-analyze", "security", "--offline=true", "--threshold=\(threshold)", file],
      runtime: folder.path)
    #expect(judged.code == 0, "\(judged.output)")
  }

  private static func run(
    _ words: [String], runtime: String
  ) throws -> (code: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": runtime, "XDG_RUNTIME_DIR": runtime]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

struct SystemdStateTests {
  @Test func properties_areRead() {
    let state = SystemdState(
      properties: "LoadState=loaded\nActiveState=failed\nSubState=failed\nnonsense\nNRestarts=x\n")
    #expect(state.active == "failed" && state.restarts == 0 && !state.isActive)
    #expect(state.text == "failed (failed)")
    #expect(SystemdState(properties: "").text == "not known")
  }
}
