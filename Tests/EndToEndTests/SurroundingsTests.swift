import Foundation
import TerminalTesting
import Testing

/// The built program in an incomplete or hostile environment.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SurroundingsTests {
  /// Runs a program without a terminal and with exactly the given environment variables.
  private func run(
    _ home: Home, _ words: [String], variables: [String]
  ) throws -> Home.Result {
    try home.run(
      program: "/usr/bin/env",
      ["-i"] + variables + ["/usr/bin/setsid", "-w", BuiltProgram.path("lifesignal")] + words)
  }

  @Test("The commands work without TERM, LANG and a terminal")
  func bareEnvironment() throws {
    let home = try Home()
    let variables = ["HOME=\(home.path)"]
    let opened = try run(home, ["init", "--name", "Zoë Müller"], variables: variables)
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(opened.output.contains("Zoë Müller"))
    #expect(try run(home, ["check-in"], variables: variables).code == 0)
    let status = try run(home, ["status", "--json"], variables: variables)
    #expect(status.code == 0 && status.output.contains("Zoë Müller"))
    let app = try run(home, [], variables: variables)
    #expect(app.code == 1)
    #expect(app.errors.contains("There is no terminal to draw on"))
  }

  @Test("The app opens in a terminal without TERM")
  func noTERM() throws {
    let home = try Home()
    let app = try home.open(environment: ["TERM": nil])
    try app.wait(for: "Who are you?")
    app.send("\u{3}")
    #expect(try app.waitForExit() == .exited(0))
  }

  @Test("Without HOME every command says to set HOME and writes nothing")
  func noHome() throws {
    let home = try Home()
    for words in [["status"], ["check-in"], ["doctor"], ["monitor"], ["restore"], []] {
      for variables in [[], ["HOME="], ["HOME=relative"]] {
        let result = try run(home, words, variables: variables)
        #expect(result.code == 1)
        #expect((result.output + result.errors).contains("Set HOME"), "\(words) \(result)")
      }
    }
    #expect(try home.files().isEmpty)
  }

  @Test("A state or data folder that is a symbolic link is refused, and nothing is written there")
  func linkedFolders() throws {
    for name in [".local/state/lifesignal", ".local/share/lifesignal"] {
      let home = try Home()
      try home.run("init", "--name", "Ada Lovelace")
      let folder = home.path + "/" + name
      let elsewhere = home.path + "/elsewhere"
      try FileManager.default.moveItem(atPath: folder, toPath: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: elsewhere)
      let before = try FileManager.default.contentsOfDirectory(atPath: elsewhere).sorted()
      for words in [["check-in"], ["monitor", "--once"]] {
        let result = try home.run(program: BuiltProgram.path("lifesignal"), words)
        #expect(result.code == 1)
        #expect(result.errors.contains("is a symbolic link"), "\(result.errors)")
      }
      let doctor = try home.run("doctor")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains("✗ \(folder) is a symbolic link"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).sorted() == before)
    }
  }

  @Test(
    "A hostile configuration file blocks no check-in and is reported without control characters",
    arguments: ["pipe", "folder", "nested", "escape", "bytes", "endless"])
  func hostileConfiguration(how: String) throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    try home.write(configuration: "")
    let path = home.configuration
    try FileManager.default.removeItem(atPath: path)
    switch how {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "nested": try home.write(configuration: String(repeating: "[", count: 60_000))
    case "escape": try home.write(configuration: "{ \"\u{1B}]0;x\u{7}\u{1B}[2J\": 1 }")
    case "bytes": try Data([0xFF, 0xFE, 0x00, 0x7B]).write(to: URL(filePath: path))
    default:
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/dev/zero")
    }
    for words in [["check-in"], ["doctor"], ["monitor", "--once"]] {
      let result = try home.run(program: BuiltProgram.path("lifesignal"), words)
      if words == ["check-in"] { #expect(result.code == 0, "\(result.errors)") }
      let text = result.output + result.errors
      if ["pipe", "folder", "endless"].contains(how) {
        #expect(text.contains("config.json5: it can't be read: it isn't a regular file."))
      }
      #expect(
        !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F },
        "\(text.debugDescription)")
    }
  }
}

/// The built program with settings that someone else may have written.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExposedSettingsTests {
  @Test(
    "A password command in settings that others can write isn't run until chmod closes the file")
  func passwordCommand() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let note = home.path + "/was-run"
    let password = "'sh', '-c', 'touch \(note); echo secret'"
    try home.write(
      configuration: """
        {smtp: {host: 'mail.example.org', username: 'ada', from: 'a@b.example',
                password_command: [\(password)]}}
        """)
    chmod(home.configuration, 0o664)
    let sentence =
      "Others can change \(home.configuration), so no mail is sent with your password."
      + " Run chmod go-w \(home.configuration)."
    let doctor = try home.run("doctor")
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("✗ \(sentence)\n"), "\(doctor.output)")
    #expect(
      doctor.output.contains("✗ Mail isn't sent, because others can change the mail settings."))
    #expect(try home.run("status").errors.contains(sentence))
    #expect(try home.run("check-in").code == 0)
    #expect(!FileManager.default.fileExists(atPath: note))
    chmod(home.configuration, 0o644)
    let mended = try home.run("doctor")
    #expect(
      mended.output.contains("mail.example.org, port 587; the password comes from the command sh."))
    #expect(FileManager.default.fileExists(atPath: note))
    #expect(!mended.output.contains("Others can change"))
  }
}

/// The built `lifesignal doctor` and `restore` with a real store.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DoctorTests {
  @Test("The doctor command says what is missing and what to do")
  func doctor() throws {
    let home = try Home()
    let fresh = try home.run("doctor")
    #expect(fresh.output.contains("! There is no store yet."))
    #expect(try home.files().isEmpty)
    try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
    let first = try home.run("doctor")
    #expect(first.code == 1)
    // No warnings about missing clients, as debug builds print them.
    #expect(fresh.errors.isEmpty && first.errors.isEmpty, "\(first.errors)")
    #expect(first.output.contains("✓ The store opens and is undamaged (schema "))
    #expect(first.output.contains("✓ 1 responder has a channel."))
    #expect(first.output.contains("✗ No monitor is running. Run lifesignal monitor install"))
    #expect(first.output.contains("✗ Mail isn't set up"))
    #expect(first.output.contains("! There is no backup yet."))
    chmod(home.database, 0o644)
    let loose = try home.run("doctor", "--json")
    #expect(loose.code == 1)
    #expect(loose.output.hasPrefix(#"{"ok":false,"findings":[{"check":"files","mark":"failure""#))
    #expect(loose.output.contains("chmod 600 \(home.database)"))
  }

  @Test(
    "The doctor reports that its test message wasn't sent, and to which address")
  func sendTest() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace", "--email", "ada@example.org")
    // Nothing listens on this port.
    try home.write(
      configuration: "{smtp: {host: '127.0.0.1', port: 1, security: 'none', from: 'a@b.example'}}")
    let result = try home.run("doctor", "--send-test")
    #expect(result.code == 1)
    #expect(
      result.output.contains("✗ The test message wasn't sent. ada@example.org: "),
      "\(result.output)")
  }

  @Test("A damaged store can be restored from its last backup and is kept under another name")
  func restore() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    #expect(try home.run("monitor", "--once").code == 0)
    let listed = try home.run("restore", "--list").output
    let name = try #require(listed.split(separator: " ").first.map(String.init))
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.database + suffix)
    }
    try Data("a letter".utf8).write(to: URL(filePath: home.database))
    chmod(home.database, 0o600)
    let refused = try home.run("status")
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains("Restore the last backup, \(name), with lifesignal restore"))
    let doctor = try home.run("doctor")
    #expect(doctor.output.contains("✗ The store is damaged."))
    let restored = try home.run("restore")
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try home.run("status", "--json").output.contains("Ada Lovelace"))
    let aside = try home.files().keys.filter { $0.contains(".set-aside-") }
    #expect(
      try aside.map { try String(contentsOfFile: home.path + "/" + $0, encoding: .utf8) }
        == ["a letter"])
  }
}
