import Clients
import struct Composable.DependencyValues
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

/// The error log as a file.
@Suite struct ErrorLogFileTests {
  let place: Place

  init() throws {
    place = try Place()
    try PrivateFiles.makeFolder(place.folders.state)
  }

  func file(limit: Int = 256 * 1_024) -> ErrorLogFile {
    ErrorLogFile(path: place.folders.errorLog, limit: limit)
  }

  func entry(_ line: Int, _ level: LogLevel = .error) -> LogEntry {
    LogEntry(
      timestamp: Date(timeIntervalSince1970: Double(1_795_000_000 + line)), level: level,
      code: "STORE_BUSY", message: "StorageError.busy",
      context: .init(function: "f", file: "x.swift", line: line))
  }

  func lines(_ entries: [LogEntry]) -> [Int] { entries.map(\.context.line) }

  @Test("The error log returns the newest lines first, by level; only its owner can read the file")
  func readBack() throws {
    let file = file()
    #expect(file.entries(from: .info, limit: 5) == [])
    file.append(entry(1))
    file.append(entry(2, .info))
    file.append(entry(3, .debug))
    file.append(entry(4, .warning))
    #expect(lines(file.entries(from: .info, limit: 9)) == [4, 2, 1], "debug is not kept")
    #expect(lines(file.entries(from: .warning, limit: 9)) == [4, 1])
    #expect(lines(file.entries(from: .info, limit: 1)) == [4])
    var information = stat()
    #expect(stat(file.path, &information) == 0)
    #expect(information.st_mode & 0o777 == 0o600)
  }

  @Test("A full error log is replaced by a new file, and only one older file is kept")
  func rotation() throws {
    let file = file(limit: 400)
    for number in 1...12 { file.append(entry(number)) }
    let kept = lines(file.entries(from: .info, limit: 99))
    #expect(kept.first == 12)
    #expect(kept == kept.sorted(by: >))
    #expect(kept.count >= 3 && kept.count < 12)
    for path in [file.path, file.path + ".1"] {
      let size = try #require(try PrivateFiles.contents(of: path)).count
      #expect(size < 400 + 200)
    }
    #expect(try PrivateFiles.entry(file.path + ".2") == .nothing)
  }

  @Test("A cut line is left out of the error log, and a symbolic link is never followed")
  func damage() throws {
    let file = file()
    file.append(entry(1))
    let descriptor = open(file.path, O_WRONLY | O_APPEND)
    _ = "{\"code\":\"CUT\n".withCString { write(descriptor, $0, strlen($0)) }
    close(descriptor)
    file.append(entry(2))
    #expect(lines(file.entries(from: .info, limit: 9)) == [2, 1])

    let target = place.folders.state + "/other"
    unlink(file.path)
    #expect(symlink(target, file.path) == 0)
    file.append(entry(3))
    #expect(access(target, F_OK) != 0)
    #expect(file.entries(from: .info, limit: 9) == [])
  }

  @Test("The app's error logger writes to the error log in the state folder")
  func platform() async throws {
    var values = DependencyValues()
    try place.open().platform.install(in: &values)
    await values.errorLogger.write(entry(1))
    #expect(lines(await values.errorLogger.entries(.info, 5)) == [1])
    #expect(lines(file().entries(from: .info, limit: 5)) == [1])
  }
}
