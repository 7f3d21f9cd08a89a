import Foundation
import Glibc
import TerminalTesting
import Testing

/// What the built programs inherit from the program that starts them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StartingTests {
  private func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  private func openAccount(_ home: Home) throws {
    try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@example.org>")
  }

  @Test(
    "A monitor inherits no folder, umask or open file from its starter, and dumps no core"
  )
  func detached() throws {
    let home = try Home()
    defer { for monitor in home.monitors { kill(monitor, SIGKILL) } }
    try openAccount(home)
    let lock = home.path + "/lock"
    let started = try home.run(
      program: "/bin/sh",
      [
        "-c",
        "cd \"$HOME\" && umask 0 && ulimit -c unlimited; exec \"$0\" alert on 9> '\(lock)'",
        BuiltProgram.path("lifesignal"),
      ])
    #expect(!started.errors.contains("monitor.log"), "\(started)")
    let monitor = try #require(home.monitors.first)
    let folder = try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(monitor)/cwd")
    #expect(folder == "/")
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(monitor)/fd").compactMap
    {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(monitor)/fd/\($0)")
    }
    #expect(!open.contains(lock), "the lock of a script would be held as long as it watches")
    #expect(text("/proc/\(monitor)/status").contains("\nUmask:\t0077\n"))
    let limits = text("/proc/\(monitor)/limits").split(separator: "\n")
    let cores = limits.first { $0.hasPrefix("Max core file size") }?.split(separator: " ")
    #expect(cores?[4..<6].allSatisfy { ["0", "1"].contains($0) } == true, "\(cores ?? [])")
  }

  @Test(
    "A monitor starts even if its log is a link or a pipe, and leaves the log as it is",
    arguments: ["link", "pipe"])
  func strangeLog(kind: String) throws {
    let home = try Home()
    defer { for monitor in home.monitors { kill(monitor, SIGKILL) } }
    try openAccount(home)
    for monitor in home.monitors { kill(monitor, SIGKILL) }
    let log = home.path + "/.local/state/lifesignal/monitor.log"
    unlink(log)
    #expect((kind == "link" ? symlink("/dev/null", log) : mkfifo(log, 0o600)) == 0)
    let result = try home.run("alert", "on")
    #expect(!result.errors.contains("cannot be started"), "\(result)")
    #expect(!home.monitors.isEmpty)
    var information = stat()
    #expect(lstat(log, &information) == 0)
    #expect(information.st_mode & S_IFMT == (kind == "link" ? S_IFLNK : S_IFIFO))
  }

  @Test(
    "Run as root, the programs refuse another user's home and write nothing there",
    .enabled(if: geteuid() == 0))
  func anothersHome() throws {
    let home = try Home()
    #expect(chown(home.path, 12_345, 12_345) == 0)
    for words in [["init", "--name", "Ada Lovelace"], ["status"], ["import", "x", "--yes"]] {
      let result = try home.run(program: BuiltProgram.path("lifesignal"), words)
      #expect(result.code == 1)
      #expect(try home.files().isEmpty, "\(words)")
      guard words[0] != "import" else { continue }
      #expect(
        result.errors.contains(
          "\(home.path) belongs to another user, who could not use what root puts there"),
        "\(result)")
    }
    #expect(chown(home.path, 0, 0) == 0)
    try home.run("init", "--name", "Ada Lovelace")
    for monitor in home.monitors { kill(monitor, SIGKILL) }
    // A store of another user, opened by root.
    for file in try home.files().keys { chown(home.path + "/" + file, 12_345, 12_345) }
    for program in ["lifesignal", "lifesignal-monitor"] {
      let words = program == "lifesignal" ? ["status"] : ["--once"]
      let result = try home.run(program: BuiltProgram.path(program), words)
      #expect(result.code == 1)
      #expect(result.errors.contains("belongs to another user"), "\(result)")
    }
  }
}
