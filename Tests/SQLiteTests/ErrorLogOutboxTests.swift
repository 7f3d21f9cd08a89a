import Clients
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

/// The record of which log entries have been sent.
@Suite struct ErrorLogOutboxTests {
  let place: Place
  let log: ErrorLogFile

  init() throws {
    place = try Place()
    try PrivateFiles.makeFolder(place.folders.state)
    // About three lines per file.
    log = ErrorLogFile(path: place.folders.errorLog, limit: 400)
  }

  private func note(_ numbers: ClosedRange<Int>) {
    for number in numbers {
      log.append(
        LogEntry(
          timestamp: Place.start, level: .error, code: "STORE_BUSY", message: "StorageError.busy",
          context: .init(function: "f", file: "x.swift", line: number)))
    }
  }

  /// Sends all waiting entries, reading the state from disk each time like a restarted process.
  private func sendAll(_ limit: Int = 2) throws -> [Int] {
    var lines: [Int] = []
    while let batch = ErrorLogOutbox(log).next(limit) {
      lines += batch.entries.map(\.context.line)
      try ErrorLogOutbox(log).remove(batch)
    }
    return lines
  }

  @Test("After a restart, only lines of the error log that weren't sent yet are sent")
  func restart() throws {
    note(1...2)
    #expect(try sendAll() == [1, 2])
    note(3...3)
    #expect(try sendAll() == [3])
    #expect(try sendAll() == [])
    #expect(place.mode(place.folders.state + "/errors.sent") == 0o600)
  }

  @Test("Lines not sent before the error log was replaced are sent from the older file")
  func rotation() throws {
    note(1...2)
    #expect(try sendAll(1) == [1, 2])
    note(3...5)
    #expect(place.exists(log.path + ".1"))
    #expect(try sendAll() == [3, 4, 5])
    note(6...12)
    // Only one older file is kept; entries in files before that are lost.
    let sent = try sendAll(3)
    #expect(sent.last == 12 && sent == Array(sent[0]...12) && sent[0] <= 9)
    #expect(try sendAll() == [])
  }

  @Test("An emptied error log counts as a new file, and its lines are sent")
  func otherFile() throws {
    note(1...3)
    #expect(try sendAll() == [1, 2, 3])
    // As if the inode number was reused or someone emptied the log.
    #expect(truncate(log.path, 0) == 0)
    note(7...8)
    #expect(try sendAll() == [7, 8])
  }

  @Test("Foreign lines in the error log aren't sent; a half-written line is sent when complete")
  func junk() throws {
    try place.write(Array("\n{}\n\u{0}\nAda Lovelace +44 20 7183 8750\n".utf8), to: log.path)
    note(1...1)
    let line = LogEntry(
      timestamp: Place.start, level: .error, code: "X", message: "m",
      context: .init(function: "f", file: "x.swift", line: 2)
    ).jsonLine
    let bytes = try #require(place.bytes(log.path))
    try place.write(bytes + Array(line.utf8.prefix(20)), to: log.path)
    #expect(try sendAll() == [1])
    try place.write(bytes + Array((line + "\n").utf8), to: log.path)
    #expect(try sendAll() == [2])
  }

  @Test("A very long line in the error log doesn't hold up the lines behind it")
  func endlessLine() throws {
    let junk = [UInt8](repeating: 0x78, count: 3 * ErrorLogOutbox.chunk + 5)
    try place.write(Array("{}\n".utf8) + junk + [0x0A], to: log.path)
    ErrorLogFile(path: log.path).append(
      LogEntry(
        timestamp: Place.start, level: .error, code: "X", message: "m",
        context: .init(function: "f", file: "x.swift", line: 9)))
    #expect(try sendAll() == [9])
  }

  @Test(
    "If the record of what was sent is unreadable, the error log is sent from the start",
    arguments: ["", "{", "[1]", #"{"file":"x","offset":-5}"#])
  func damagedPlace(text: String) throws {
    note(1...2)
    #expect(try sendAll() == [1, 2])
    try place.write(Array(text.utf8), to: place.folders.state + "/errors.sent")
    #expect(try sendAll() == [1, 2])
  }
}
