import CTerminal
import Clients
import DeliveryTesting
import Domain
import Foundation
import Glibc
import Testing

/// The built program when nothing reads its log, such as a stopped terminal or a pager that doesn't
/// read.
@Suite(.timeLimit(.minutes(2))) struct StalledLogTests {
  @Test(
    "WCH-1: everybody is notified although nobody reads the log", arguments: Reader.Kind.allCases)
  func told(_ kind: Reader.Kind) async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer()
    try home.configure(server)
    let reader = try Reader(kind)
    let process = try home.start(logTo: reader.writingEnd)
    await server.waitForMessages(2)
    let clients = try home.clients()
    for try await alerts in clients.alertClient.observe(1)
    where alerts.first?.deliveries.map(\.state) == [.sent, .sent] { break }
    process.send(SIGTERM)
    #expect(await process.exitCode() == 0)
  }

  @Test("Log lines written while the terminal is stopped appear when the terminal resumes")
  func goesOn() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer()
    try home.configure(server)
    let reader = try Reader(.stoppedTerminal)
    let process = try home.start(logTo: reader.writingEnd)
    await server.waitForMessages(2)
    reader.goOn()
    let text = await reader.text(until: "missed deadline")
    #expect(text.contains("info monitor"))
    await process.kill()
  }
}

/// The two ends of a log's destination. The reading end doesn't read until told to.
final class Reader: Sendable {
  enum Kind: CaseIterable {
    /// Ctrl-S was pressed.
    case stoppedTerminal
    /// The terminal's buffer is full, as when its connection stalls.
    case fullTerminal
    case fullPipe
  }

  let writingEnd: Int32
  private let readingEnd: Int32

  init(_ kind: Kind) throws {
    if kind == .fullPipe {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (readingEnd, writingEnd) = (ends[0], ends[1])
    } else {
      var name = [CChar](repeating: 0, count: 64)
      readingEnd = cterminal_open_pty(80, 24, &name, name.count)
      writingEnd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(readingEnd >= 0 && writingEnd >= 0)
    }
    if kind == .stoppedTerminal {
      try #require(tcflow(writingEnd, TCOOFF) == 0)
    } else {
      fill()
    }
  }

  deinit {
    close(writingEnd)
    close(readingEnd)
  }

  /// Fills the buffer, then frees less than one line.
  private func fill() {
    let flags = fcntl(writingEnd, F_GETFL)
    _ = fcntl(writingEnd, F_SETFL, flags | O_NONBLOCK)
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_024)
    while write(writingEnd, line, line.count) > 0 {}
    while write(writingEnd, line, 1) > 0 {}
    _ = fcntl(writingEnd, F_SETFL, flags)
  }

  /// Resumes the terminal after Ctrl-S.
  func goOn() { _ = tcflow(writingEnd, TCOON) }

  /// Reads until some text has appeared.
  func text(until end: String) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !String(decoding: bytes, as: UTF8.self).contains(end) {
          var entry = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
          poll(&entry, 1, -1)
          let count = read(readingEnd, &buffer, buffer.count)
          guard count > 0 else { break }
          bytes += buffer.prefix(count)
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
