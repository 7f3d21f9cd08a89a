import Clients
import Composable
import Domain
import Foundation
import Synchronization
import Testing

/// The content of the error log, and what it must never contain.
@Suite struct ErrorLogTests {
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  let context = LogEntry.Context(function: "ContactsClient.add", file: "Clients/X.swift", line: 7)

  @Test("A log line has time, level, code, message and place, and can be read back")
  func line() {
    let entry = LogEntry(ClientError.storage(.busy), at: now, context: context)
    #expect(entry.level == .error)
    #expect(
      entry.jsonLine
        == """
        {"code":"STORE_BUSY","context":{"file":"Clients/X.swift","function":"ContactsClient.add",\
        "line":7},"level":"error","message":"ClientError.storage.busy",\
        "timestamp":"2026-11-18T11:06:40Z"}
        """)
    #expect(LogEntry(jsonLine: entry.jsonLine) == entry)
    #expect(LogEntry(jsonLine: entry.jsonLine.dropLast()) == nil)
  }

  @Test("No value that an error carries gets into the log")
  func privacy() {
    let secret = "Mary Somerville +441632960961"
    let contact = Contact(id: UUID(), name: secret, note: secret, roles: .responder, addedAt: now)
    let errors: [any AppError] = [
      ClientError.contactExists(name: secret), ClientError.contactChanged(contact),
      StorageError.unknown(secret), StorageError.corrupt(detail: secret),
      StorageError.missing(path: secret), ClientError.storage(.documentNotFound(secret)),
      ClientError.invalid(.nameCharacter(secret)), ClientError.invalid(.duration(secret)),
      KeychainError.unavailable(secret), ClientError.keychain(.permissionDenied(secret)),
      ConfigurationError(reason: secret), ClientError.unimplemented(secret),
    ]
    for error in errors {
      let line = LogEntry(error, at: now, context: context).jsonLine
      #expect(!line.contains("Mary") && !line.contains("4416"), "\(line)")
    }
    #expect(
      errors.map { LogEntry($0, at: now, context: context).message }.prefix(3)
        == ["ClientError.contactExists", "ClientError.contactChanged", "StorageError.unknown"])
  }

  @Test("Invalid input is logged as info, a refusal as warning and a busy store as error")
  func levels() {
    func level(_ error: some AppError) -> LogLevel {
      LogEntry(error, at: now, context: context).level
    }
    #expect(level(ClientError.invalid(.email)) == .info)
    #expect(level(ClientError.contactNotFound) == .warning)
    #expect(level(ClientError.storage(.busy)) == .error)
    #expect(LogLevel.allCases == LogLevel.allCases.sorted())
  }

  @Test("A full, damaged or missing store is logged as critical")
  func critical() {
    let errors: [StorageError] = [.full, .corrupt(detail: ""), .missing(path: "")]
    for error in errors {
      #expect(LogEntry(ClientError.storage(error), at: now, context: context).level == .critical)
    }
  }

  @Test("The line of an error is its code and its sentence")
  func textualForm() {
    #expect(
      ClientError.storage(.busy).text.line == "[STORE_BUSY] Another program is using the store.")
  }

  /// Returns what is logged while an operation calls clients, from a line that is known.
  private func noted(
    isTracing: Bool = false, _ provide: @Sendable (inout DependencyValues) -> Void,
    _ operation: @Sendable (DependencyValues) async throws -> Void
  ) async rethrows -> [LogEntry] {
    let log = Mutex<[LogEntry]>([])
    let place = IssueLocation(fileID: "Features/Somewhere.swift", line: 12)
    try await withDependencies {
      provide(&$0)
      $0.dateClient = .constant(now)
      $0.errorLogger = ErrorLogger(
        write: { entry in log.withLock { $0.append(entry) } }, entries: { _, _ in [] })
      $0.logClientCalls(isTracing: isTracing)
    } operation: {
      try await EffectLocation.$current.withValue(place) { try await operation(.current) }
    }
    return log.withLock { $0 }
  }

  @Test("A client's failure is logged with the caller's line and still thrown")
  func hook() async {
    let entries = await noted {
      $0.contactsClient.delete = { (_) async throws(ClientError) in throw .contactNotFound }
      $0.contactsClient.contacts = { () async throws(ClientError) in [] }
    } _: { values in
      await #expect(throws: ClientError.contactNotFound) {
        try await values.contactsClient.delete(UUID())
      }
      _ = try? await values.contactsClient.contacts()
    }
    #expect(entries.map(\.code) == ["CONTACT_NOT_FOUND"])
    #expect(
      entries.first?.context
        == .init(function: "ContactsClient.delete", file: "Features/Somewhere.swift", line: 12))
    #expect(entries.first?.timestamp == now)
  }

  @Test("Successful calls are logged only when traced, but always remembered as recent calls")
  func traces() async {
    for isTracing in [false, true] {
      let entries = await noted(isTracing: isTracing) {
        $0.contactsClient.contacts = { () async throws(ClientError) in
          EndpointCall.noteRequest("GET /v1/contacts", status: 502)
          EndpointCall.noteRetry()
          EndpointCall.noteRequest("GET /v1/contacts", status: 200)
          return []
        }
      } _: { values in
        _ = try? await values.contactsClient.contacts()
        let call = values.recentCalls.last
        #expect(call?.operation == "ContactsClient.contacts")
        #expect(call?.error == nil)
        #expect(call?.details.retries == 1)
        #expect(call?.details.status == 200)
      }
      #expect(entries.map(\.level) == (isTracing ? [.debug] : []))
      guard let entry = entries.first else { continue }
      #expect(entry.code == "OK")
      #expect(entry.context.function == "ContactsClient.contacts")
      #expect(entry.call?.endpoint == "GET /v1/contacts")
      #expect(LogEntry(jsonLine: entry.jsonLine) == entry)
    }
  }

  @Test("The failure of a stream is logged once, with the line that asked for the stream")
  func streams() async {
    let entries = await noted {
      $0.contactsClient.observe = {
        AsyncThrowingStream {
          $0.yield([])
          $0.finish(throwing: ClientError.storage(.busy))
        }
      }
    } _: { values in
      var count = 0
      await #expect(throws: ClientError.storage(.busy)) {
        for try await _ in values.contactsClient.observe() { count += 1 }
      }
      #expect(count == 1)
    }
    #expect(entries.map(\.code) == ["STORE_BUSY"])
    #expect(
      entries.first?.context
        == .init(function: "ContactsClient.observe", file: "Features/Somewhere.swift", line: 12))
  }

  @Test("A stream or a transfer that ends is traced once, with its duration")
  func endedStreams() async {
    let request = DownloadRequest(
      url: StoredFileURL(UUID()), expectedSize: 1, name: "will.pdf", folder: "/tmp")
    let entries = await noted(isTracing: true) {
      $0.contactsClient.observe = {
        AsyncThrowingStream {
          $0.yield([])
          $0.finish()
        }
      }
      $0.downloadClient.download = { _ in
        AsyncStream {
          $0.yield(.progress(percent: 1))
          $0.yield(.completed(path: "/tmp/will.pdf"))
          $0.finish()
        }
      }
    } _: { values in
      do { for try await _ in values.contactsClient.observe() {} } catch {}
      for await _ in values.downloadClient.download(request) {}
    }
    #expect(entries.map(\.code) == ["OK", "OK"])
    #expect(
      entries.map(\.context.function) == ["ContactsClient.observe", "DownloadClient.download"])
    #expect(entries.allSatisfy { $0.call?.milliseconds == 0 })
  }

  @Test("A failed transfer is logged and still reports its failure")
  func transfers() async {
    let request = DownloadRequest(
      url: StoredFileURL(UUID()), expectedSize: 1, name: "will.pdf", folder: "/tmp")
    let entries = await noted {
      $0.downloadClient.download = { _ in
        AsyncStream {
          $0.yield(.progress(percent: 1))
          $0.yield(.failed(.incomplete))
          $0.finish()
        }
      }
    } _: { values in
      var events: [DownloadEvent] = []
      for await event in values.downloadClient.download(request) { events.append(event) }
      #expect(events == [.progress(percent: 1), .failed(.incomplete)])
    }
    #expect(entries.map(\.context.function) == ["DownloadClient.download"])
  }

  @Test("A failure inside another operation is logged once, for the operation that failed first")
  func layers() async {
    let entries = await noted {
      $0.contactsClient.delete = { (_) async throws(ClientError) in throw .contactNotFound }
      $0.contactsClient.contacts = {
        [delete = $0.contactsClient.delete] () async throws(ClientError) in
        try await delete(UUID())
        return []
      }
    } _: { values in
      await #expect(throws: ClientError.contactNotFound) {
        try await values.contactsClient.contacts()
      }
    }
    #expect(entries.map(\.context.function) == ["ContactsClient.delete"])
  }

  @Test("Client calls are logged only if the composition root turns logging on")
  func silence() async {
    await withDependencies {
      $0.errorLogger = ErrorLogger(
        write: { Issue.record("\($0)") }, entries: { _, _ in [] })
      $0.contactsClient.contacts = { () async throws(ClientError) in throw .notAuthenticated }
    } operation: {
      _ = try? await DependencyValues.current.contactsClient.contacts()
    }
  }

  @Test("Errors are counted by their code, the most frequent first")
  func counts() {
    func entry(_ code: String, _ level: LogLevel, _ minutes: Int) -> LogEntry {
      LogEntry(
        timestamp: Date(timeIntervalSince1970: Double(minutes) * 60), level: level, code: code,
        message: "", context: .init(function: "", file: "", line: 0))
    }
    let entries = [
      entry("B", .warning, 9), entry("A", .info, 8), entry("C", .info, 7), entry("A", .error, 6),
      entry("A", .info, 5),
    ]
    #expect(entries.counts.map(\.code) == ["A", "B", "C"])
    #expect(entries.counts.map(\.count) == [3, 1, 1])
    #expect(entries.counts.first?.level == .error)
    #expect(entries.counts.first?.last == entries[1].timestamp)
    #expect([LogEntry]().counts == [])
  }

  /// A monitor keeps its own log; the app draws codes without a store.
  private static let unwatched = [
    "MonitorClient", "FallbackClient", "UpkeepClient", "QRCodeClient", "ConnectionClient",
  ]

  @Test("Every operation of a store's clients that can fail is an endpoint with its own name")
  func everyOperation() throws {
    let sources = #filePath.replacing(
      "Tests/ClientsTests/ErrorLogTests.swift", with: "Sources/Clients/")
    var count = 0
    for folder in ["Domain/", "Infrastructure/"] {
      for file in try FileManager.default.contentsOfDirectory(atPath: sources + folder) {
        let client = file.replacing(".swift", with: "")
        guard client.hasSuffix("Client"), !Self.unwatched.contains(client) else { continue }
        let text = try String(contentsOfFile: sources + folder + file, encoding: .utf8)
        let members = text.components(separatedBy: "  public init(")[0]
          .components(separatedBy: "  public var ")
        for (before, member) in zip(members, members.dropFirst())
        where member.contains("async throws") || member.contains("-> Async") {
          count += 1
          let name = client + "." + member.prefix { $0 != ":" }
          let attribute = "Endpoint(\"\(name)\""
          let declaration = before.trimmingCharacters(in: .whitespacesAndNewlines)
          let line = try #require(declaration.split(separator: "\n").last)
          #expect(line.contains(attribute + ")") || line.contains(attribute + ", gate:"), "\(name)")
        }
      }
    }
    #expect(count > 60, "the clients are found")
  }
}
