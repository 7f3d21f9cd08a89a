import Clients
import Composable
import Domain
import Foundation
import Synchronization
import Testing

/// What the error log says, and what it never says.
@Suite struct ErrorLogTests {
  let now = Date(timeIntervalSince1970: 1_795_000_000)
  let context = LogEntry.Context(function: "ContactsClient.add", file: "Clients/X.swift", line: 7)

  @Test("A line has time, level, code, message and place, and can be read back")
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

  @Test("Nothing that an error carries gets into the log")
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

  @Test("What a person mistyped matters least")
  func levels() {
    func level(_ error: some AppError) -> LogLevel {
      LogEntry(error, at: now, context: context).level
    }
    #expect(level(ClientError.invalid(.email)) == .info)
    #expect(level(ClientError.contactNotFound) == .warning)
    #expect(level(ClientError.storage(.full)) == .error)
    #expect(LogLevel.allCases == LogLevel.allCases.sorted())
  }

  @Test("A client's failure is noted where it happens, and fails as before")
  func hook() async {
    let log = Mutex<[LogEntry]>([])
    var values = DependencyValues()
    values.dateClient = .constant(now)
    values.errorLogger = ErrorLogger(
      write: { entry in log.withLock { $0.append(entry) } }, entries: { _, _ in [] })
    values.contactsClient.delete = { (_, _) async throws(ClientError) in throw .contactNotFound }
    values.contactsClient.contacts = { () async throws(ClientError) in [] }
    values.logClientFailures()
    let place = IssueLocation(fileID: "Features/Somewhere.swift", line: 12)
    await EffectLocation.$current.withValue(place) {
      await #expect(throws: ClientError.contactNotFound) {
        try await values.contactsClient.delete(UUID())
      }
    }
    _ = try? await values.contactsClient.contacts()
    let entries = log.withLock { $0 }
    #expect(entries.map(\.code) == ["CONTACT_NOT_FOUND"])
    #expect(
      entries.first?.context
        == .init(function: "ContactsClient.delete", file: "Features/Somewhere.swift", line: 12))
    #expect(entries.first?.timestamp == now)
  }

  @Test("Errors are counted by their code")
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

  /// A monitor keeps a log of its own; the app draws codes without a store, and asks no server.
  private static let unwatched = [
    "MonitorClient", "FallbackClient", "UpkeepClient", "QRCodeClient", "ServerClient",
  ]

  @Test("Every operation of a store's clients that can fail is watched")
  func everyOperation() throws {
    let sources = #filePath.replacing(
      "Tests/ClientsTests/ErrorLogTests.swift", with: "Sources/Clients/")
    let hook = try String(contentsOfFile: sources + "Errors/ClientFailures.swift", encoding: .utf8)
    var count = 0
    for folder in ["Domain/", "Infrastructure/"] {
      for file in try FileManager.default.contentsOfDirectory(atPath: sources + folder) {
        let client = file.replacing(".swift", with: "")
        guard client.hasSuffix("Client"), !Self.unwatched.contains(client) else { continue }
        let text = try String(contentsOfFile: sources + folder + file, encoding: .utf8)
        let members = text.components(separatedBy: "  public init(")[0]
          .components(separatedBy: "  public var ").dropFirst()
        for member in members where member.contains("async throws") {
          count += 1
          let name = client + "." + member.prefix { $0 != ":" }
          #expect(hook.contains("\"\(name)\""), "\(name) is not watched")
        }
      }
    }
    #expect(count > 60, "the clients are found")
  }
}
