import Foundation
import Terminal
import TerminalTesting
import Testing

/// The built program without a terminal: commands, files and disk errors.
@Suite(.serialized) struct CommandTests {
  @Test("The commands init, check-in, status and contacts work on a real store")
  func commands() throws {
    let home = try Home()
    let opened = try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
    #expect(opened.code == 0)
    #expect(opened.output.hasPrefix("Welcome, Ada Lovelace."))
    #expect(try home.run("check-in").output.hasPrefix("Checked in."))
    let status = try home.run("status", "--json")
    #expect(status.code == 0)
    #expect(
      status.output.hasPrefix(#"{"name":"Ada Lovelace","status":"ok","last_check_in":""#))
    #expect(
      status.output.contains(",\"responders\":1,\"alert\":null,\"problem\":")
        && status.output.hasSuffix(
          #","as_of":null,"offline_since":null,"#
            + #""queued":{"check_ins":0,"since":null,"alert":null,"refused":0},"schedule":null,"outing":null}"#
            + "\n")
    )
    #expect(try home.run("contacts").output.contains("grace@navy.example"))
    #expect(try home.run("init", "--name", "Somebody").code == 1)
  }

  @Test("Files are written only to the XDG folders, and no other user can read them")
  func files() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    try home.run("check-in")
    for (file, mode) in try home.files() {
      let allowed =
        [".local", ".local/share", ".local/state"].contains(file)
        || file.hasPrefix(".local/share/lifesignal") || file.hasPrefix(".local/state/lifesignal")
      #expect(allowed, "\(file)")
      if file.contains("lifesignal") { #expect(mode & 0o077 == 0, "\(file): \(mode)") }
    }
  }

  @Test("XDG_DATA_HOME moves the store to another folder")
  func folders() throws {
    let home = try Home()
    let data = home.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try home.run("init", "--name", "Ada Lovelace", environment: ["XDG_DATA_HOME": data])
    #expect(FileManager.default.fileExists(atPath: data + "/lifesignal/lifesignal.db"))
    #expect(!FileManager.default.fileExists(atPath: home.database))
  }

  @Test("A broken configuration is reported with line and reason, and a check-in still works")
  func configuration() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    try home.write(configuration: "{\n  smtp: {\n    host: oops oops\n  }\n}\n")
    let checkIn = try home.run("check-in")
    #expect(checkIn.code == 0)
    #expect(checkIn.errors.contains("config.json5, line 3: “oops” needs quotes."))
  }

  @Test("With a broken configuration the app opens, says so, and keeps the last good settings")
  func configurationInTheApp() throws {
    let home = try Home()
    try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
    try home.write(configuration: "{\n  smtp: {\n    host: oops oops\n  }\n}\n")
    let app = try home.open(columns: 120)
    try app.wait(for: "Nobody would be notified: config.json5, line 3")
    try home.write(configuration: "{smtp: {host: '127.0.0.1', port: 9, from: 'ada@example.org'}}")
    app.press("c")
    try app.wait { $0.contains(" watched") && !$0.contains("config.json5") }
    // Programs that rewrite a file in place truncate it first.
    for broken in ["", "{smtp: {"] {
      try home.write(configuration: broken)
      app.press("c")
      try app.wait(for: broken.isEmpty ? "the file is empty" : "line 1")
    }
    try app.wait { $0.contains("◐ settings") && $0.contains("The last good settings stay in use") }
    app.press("q")
    #expect(try app.waitForExit() == .exited(0))
  }

  @Test(
    "ALT-3: if nobody can send an alert, alert on says so with the reason and exits with 1",
    arguments: [
      (nil, "mail is not set up; run lifesignal mail setup"),
      ("{\n  smtp: {host: 7}\n}", "config.json5, line 2: smtp"),
    ])
  func unsentAlert(configuration: String?, reason: String) throws {
    let home = try Home()
    try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
    if let configuration { try home.write(configuration: configuration) }
    // Use a terminal, since the monitor that the command starts outlives it.
    let alert = try home.open("alert", "on", columns: 160)
    #expect(try alert.waitForExit() == .exited(1))
    #expect(alert.screen.contains("The alert is on."))
    #expect(alert.screen.contains("Grace Hopper has not been notified yet."))
    #expect(
      alert.screen.contains("The monitor can't send ") && alert.screen.contains(": \(reason)"))
    let status = try home.open("status", columns: 160)
    #expect(try status.waitForExit() == .exited(30))
    #expect(status.screen.contains("1 monitor"))
    let off = try home.open("alert", "off", columns: 160)
    #expect(try off.waitForExit() == .exited(0))
    #expect(off.screen.contains("Nobody had been notified of it."))
  }

  @Test(
    "A damaged, foreign, empty or missing store is reported and left as it is",
    arguments: ["damaged", "foreign", "empty", "gone"])
  func damagedStore(how: String) throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let url = URL(fileURLWithPath: home.database)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.database + suffix)
    }
    switch how {
    case "damaged":
      var bytes = try Data(contentsOf: url)
      for index in 100..<min(bytes.count, 12_000) { bytes[index] = 0xA5 }
      try bytes.write(to: url)
    case "foreign": try Data("this is a letter, not a database".utf8).write(to: url)
    case "empty": try Data().write(to: url)
    default: try FileManager.default.removeItem(at: url)
    }
    let before = try? Data(contentsOf: url)
    for command in ["check-in", "status"] {
      let result = try home.run(command)
      #expect(result.code == 1)
      let refusal = command == "check-in" ? "You are NOT checked in: " : ""
      #expect(result.errors.hasPrefix("lifesignal: \(refusal)The store"), "\(result.errors)")
      #expect(result.errors.contains("--set-aside"), "\(result.errors)")
    }
    // The app stays open for the emergency key.
    let app = try home.open()
    try app.wait {
      $0.contains("cannot read its store") && $0.contains("press ! five times")
    }
    app.press("q")
    #expect(try app.waitForExit() == .exited(0))
    #expect((try? Data(contentsOf: url)) == before)

    // Starting over keeps the old store under another name.
    let anew = try home.run("init", "--name", "Ada Lovelace", "--set-aside")
    #expect(anew.code == 0, "\(anew.errors)")
    #expect(anew.output.contains("is kept as") == (before != nil))
    #expect(try home.run("status").code == 0)
    if before != nil {
      let kept = try FileManager.default.contentsOfDirectory(
        atPath: (home.database as NSString).deletingLastPathComponent
      ).filter { $0.contains("set-aside") }
      #expect(!kept.isEmpty)
    }
  }

  @Test("A store folder that others can read is refused, with the chmod command that fixes it")
  func looseFolder() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let folder = (home.database as NSString).deletingLastPathComponent
    chmod(folder, 0o755)
    let result = try home.run("check-in")
    #expect(result.code == 1)
    #expect(result.errors.contains("chmod 700"), "\(result.errors)")
    chmod(folder, 0o700)
    #expect(try home.run("check-in").code == 0)
  }

  @Test(
    "Invalid arguments are refused before anything is stored",
    arguments: [
      ["init", "--name", String(repeating: "a", count: 10_000)],
      ["init", "--name", "Ada", "--interval", "0"],
      ["init", "--name", "Ada", "--interval", "banana"],
      ["init", "--name", "Ada\u{1B}[2J"],
      ["init", "--name", "Ada", "--responder", "\u{1B}]0;x\u{7}"],
      ["frobnicate"], ["status", "--no-such"],
    ])
  func badWords(words: [String]) throws {
    let home = try Home()
    let result = try home.run(program: BuiltProgram.path("lifesignal"), words)
    #expect(result.code == 2)
    #expect(result.errors.hasPrefix("lifesignal: "))
    #expect(!result.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(try home.files().isEmpty)
  }

  @Test("CHK-1: kill -9 during 200 check-ins loses none that was reported as done")
  func killed() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    var reported = 0
    for round in 0..<10 {
      // A shell loop writes a line for each check-in that was reported as done, and its process
      // group is killed at some point.
      let log = home.path + "/reported"
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
      shell.arguments = [
        "/bin/sh", "-c",
        "echo $$ > '\(home.path)/group'; for i in $(seq 20); do "
          + "'\(BuiltProgram.path("lifesignal"))' check-in > /dev/null && echo done >> '\(log)'; done",
      ]
      shell.environment = home.environment
      try shell.run()
      let target = round * 20 + 1 + (round * 7) % 19
      while shell.isRunning {
        let lines = FileManager.default.contents(atPath: log)?.split(separator: 0x0A).count ?? 0
        if lines >= min(target, reported + 19) {
          let group = FileManager.default.contents(atPath: home.path + "/group").flatMap {
            pid_t(
              String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
          }
          if let group { kill(-group, SIGKILL) }
          break
        }
      }
      shell.waitUntilExit()
      reported =
        FileManager.default.contents(atPath: log)?.split(separator: 0x0A).count ?? 0
    }
    #expect(reported > 20)
    // The sequence grows with each check-in. A killed one may have been stored without being
    // reported.
    let sequence = try #require(
      Int(
        try home.run(
          program: "/usr/bin/python3",
          [
            "-c",
            "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
              + "'select check_in_sequence from account').fetchone()[0])",
            home.database,
          ]
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(sequence >= reported)
    #expect(sequence <= reported + 10)
    #expect(try home.run("status").code == 0)
  }

  @Test("A full disk is reported, and nothing that was stored is lost")
  func fullDisk() throws {
    let home = try Home()
    let disk = home.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let mounted = try home.run(
      program: "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk])
    guard mounted.code == 0 else {
      print("skipped: mounting a small file system needs root")
      return
    }
    defer { _ = try? home.run(program: "/usr/bin/umount", ["-l", disk]) }
    let variables = ["XDG_DATA_HOME": disk]
    let name = "Ada Lovelace"
    #expect(try home.run("init", "--name", name, environment: variables).code == 0)
    // Fill the disk except for a few kilobytes, then check in until they are used up.
    _ = FileManager.default.createFile(atPath: disk + "/ballast", contents: nil)
    let ballast = try #require(FileHandle(forWritingAtPath: disk + "/ballast"))
    while (try? ballast.write(contentsOf: Data(repeating: 1, count: 4_096))) != nil {}
    var codes: Set<Int32> = []
    var message = ""
    for _ in 0..<5 {
      let result = try home.run("check-in", environment: variables)
      codes.insert(result.code)
      if result.code != 0 { message = result.errors }
    }
    #expect(codes.contains(1))
    #expect(message.contains("The disk is full"), "\(message)")
    try ballast.close()
    try FileManager.default.removeItem(atPath: disk + "/ballast")
    #expect(try home.run("check-in", environment: variables).code == 0)
    #expect(try home.run("status", environment: variables).output.hasPrefix(name))
  }
}
