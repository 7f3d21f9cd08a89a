import Foundation
import TerminalTesting
import Testing

/// The built programs, started with standard input, output or error closed.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ClosedStreamsTests {
  private static let streams = [(0, "<&-"), (1, ">&-"), (2, "2>&-")]

  /// A home whose mail password comes from a program that records the targets of its parent's
  /// descriptors 0, 1 and 2.
  private func makeHome(note: String) throws -> Home {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace", "--email", "ada@example.org")
    let places = (0...2).map { "/proc/$PPID/fd/\($0)" }.joined(separator: " ")
    let script =
      "for place in \(places); do readlink $place || echo closed; done > \(note); echo secret"
    // Nothing listens on this port.
    try home.write(
      configuration: """
        {smtp: {host: '127.0.0.1', port: 1, security: 'none', username: 'ada', from: 'a@b.example',
                password_command: ['sh', '-c', '\(script)']}}
        """)
    return home
  }

  @Test(
    "A program started with closed streams uses /dev/null for them and writes into no file",
    arguments: ["lifesignal doctor", "lifesignal-monitor --test-delivery"],
    ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func closed(command: String, closing: String) throws {
    let note = NSTemporaryDirectory() + "streams-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: note) }
    let home = try makeHome(note: note)
    let words = command.split(separator: " ").map(String.init)
    let before = try home.files().keys.sorted()
    let result = try home.run(
      program: "/bin/sh",
      ["-c", "exec \"$0\" \"$@\" \(closing)", BuiltProgram.path(words[0])] + words.dropFirst())
    // Both report problems: no monitor is running, and the server can't be reached.
    #expect(result.code == 1, "\(result)")
    let found = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")
    for (number, word) in Self.streams where closing.split(separator: " ").contains(Substring(word))
    {
      #expect(found[number] == "/dev/null", "\(number) is \(found[number])")
    }
    #expect(try home.files().keys.sorted() == before)
    for file in before {
      let bytes = FileManager.default.contents(atPath: home.path + "/" + file) ?? Data()
      #expect(bytes.range(of: Data("ada@example.org: ".utf8)) == nil, "\(file)")
      #expect(bytes.range(of: Data("Nobody watches".utf8)) == nil, "\(file)")
    }
  }

  @Test("A check-in works with standard input, output and error closed")
  func checkIn() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let closing = "exec \"$0\" \"$@\" <&- >&- 2>&-"
    for number in 1...3 {
      let result = try home.run(
        program: "/bin/sh", ["-c", closing, BuiltProgram.path("lifesignal"), "check-in"])
      #expect(result.code == 0)
      #expect(try home.value(of: "SELECT check_in_sequence FROM account") == "\(number)")
    }
    #expect(try home.run("status").code == 0)
  }
}

extension Home {
  /// The result of an SQL query on the store.
  fileprivate func value(of query: String) throws -> String {
    try run(
      program: "/usr/bin/env",
      [
        "python3", "-c",
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])",
        database, query,
      ]
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
