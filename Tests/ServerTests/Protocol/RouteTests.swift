import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization
import ServerTesting
import TestSupport
import Testing

@testable import ServerProtocol

@Suite struct RouteTests {
  @Test(
    "Requests and answers arrive unchanged on every route",
    arguments: UInt64(0)..<20)
  func roundTrip(seed: UInt64) async throws {
    var samples = Samples(seed: seed)
    for route in Route.all {
      var arguments: [any Codable & Sendable] = []
      for type in route.types.arguments {
        let sample = try samples.required(type, of: route)
        arguments.append(sample)
      }
      let request = try route.request(values: arguments)
      var answer: Data?
      if let type = route.types.answer {
        let sample = try samples.required(type, of: route)
        answer = try WireCoding.encode(sample)
      }
      // An app's client makes the request again from the decoded arguments, and its server answers
      // with the sample.
      let server = Recorder(answer: answer, grants: route.access == .signsIn)
      var values = DependencyValues()
      values.context = .test
      route.connect(to: server, in: &values)
      let path = try #require(Self.segments(of: request.path))
      let found = try #require(Route.find(request.method, path))
      #expect(found.route.name == route.name)
      let again = try await found.route.answer(request, found.arguments, by: values)
      #expect(again == answer, "\(route.name)")
      let sent = try #require(server.requests.withLock { $0.first })
      #expect(sent.target == request.target, "\(route.name)")
      #expect(sent.body == request.body, "\(route.name)")
      #expect((sent.idempotencyKey != nil) == route.method.isWrite)
    }
  }

  @Test("Routes and their names are unique, and no GET route takes a passphrase")
  func noneTwice() {
    #expect(Set(Route.all.map { "\($0.method) \($0.path)" }).count == Route.all.count)
    #expect(Set(Route.all.map(\.name)).count == Route.all.count)
    for route in Route.all {
      #expect(route.arguments.count == route.types.arguments.count, "\(route.name)")
      #expect(Set(route.path.arguments).isSubset(of: route.arguments), "\(route.name)")
      #expect(route.method != .get || !route.arguments.contains("passphrase"), "\(route.name)")
    }
  }

  @Test("Every client operation has a route or is listed as local to the machine")
  func everyOperation() throws {
    let root = #filePath.replacing(
      "Tests/ServerTests/Protocol/RouteTests.swift", with: "Sources/Clients/")
    var declared: Set<String> = []
    for folder in ["Domain", "Infrastructure"] {
      for file in try TestFiles.swift(in: root + folder) {
        for match in file.matches(of: /Endpoint\("(?<name>\w+\.\w+)"/) {
          declared.insert(String(match.name))
        }
      }
    }
    let local = declared.filter { name in
      Self.ofTheMachine.contains { name == $0 || name.hasPrefix($0 + ".") }
    }
    #expect(declared.subtracting(local).subtracting(Route.all.map(\.name)).sorted() == [])
    #expect(Set(Route.all.map(\.name)).subtracting(declared).sorted() == [])
  }

  /// The clients and operations without a route, because they work on the local machine.
  private static let ofTheMachine = [
    "FallbackClient", "UpkeepClient", "MonitorClient", "DamagedStoreClient", "SecretPromptClient",
    "MailSettingsClient", "ClipboardClient", "DownloadClient", "KeychainClient", "LogOutboxClient",
    "FileClient", "PictureClient", "QRCodeClient", "WatchClient.start", "WatchClient.startAnother",
    "WatchClient.retryMail",
    "AuthClient.passGate", "CheckInClient.observeRecord", "ContactsClient.overview",
    "AlertClient.spool", "InvitationClient.create", "InvitationClient.setInvitation",
    "StandbyClient.duties", "StandbyClient.record",
    "StandbyClient.recordAnswer",
    "TransferClient.prepareMove", "TransferClient.completeMove", "TransferClient.stopWatching",
    "TransferClient.movedTo", "TransferClient.reclaim",
  ]

  @Test("An error arrives as it was thrown; an unknown error arrives as its message")
  func errors() throws {
    let now = Date(timeIntervalSince1970: 1_000)
    let locked = ClientError.gate(.locked(until: now + 90))
    let refusal = ServerRefusal(locked, now: now)
    #expect(refusal.status == 429 && refusal.retryAfter == 90)
    let answer = ServerAnswer(status: refusal.status, body: refusal.body)
    #expect(ServerRefusal.error(of: answer) == locked)
    // A server that doesn't know the operation sends no error code.
    for status in [404, 405] {
      let old = ServerRefusal(status, "There is nothing here.")
      #expect(
        ServerRefusal.error(of: ServerAnswer(status: status, body: old.body))
          == .storage(.network(.operationUnknown)))
    }
    let gone = ServerRefusal(.contactNotFound, now: now)
    #expect(
      ServerRefusal.error(of: ServerAnswer(status: gone.status, body: gone.body))
        == .contactNotFound)
    let unknown = Data(#"{"error": {"fromTheFuture": {}}, "message": "Not\u001b[31m today."}"#.utf8)
    let error = ServerRefusal.error(of: ServerAnswer(status: 409, body: unknown))
    guard case .storage(.unknown(let reason)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!reason.contains("\u{1B}"))
    #expect(
      ServerRefusal.error(of: ServerAnswer(status: 503)) == .storage(.network(.serverError(503))))
    #expect(ServerRefusal.error(of: ServerAnswer(status: 401)) == .sessionExpired)
    #expect(StorageError(locked) == .permissionDenied(locked.text.description))
  }

  @Test("A secret's text is encoded for a server only")
  func secrets() throws {
    let secret = Secret("hunter2")
    #expect(try String(decoding: WireCoding.encode(secret), as: UTF8.self) == #""hunter2""#)
    #expect(
      try !String(decoding: JSONEncoder().encode([secret]), as: UTF8.self).contains("hunter2"))
  }

  @Test("A request with missing or mistyped arguments is refused")
  func malformed() async throws {
    let route = try #require(Route.all.first { $0.name == "PingClient.send" })
    for body in ["", "{}", "[]", #"{"contact": "planted"}"#, "\u{0}", "{", #"{"contact": 7}"#] {
      let request = ServerRequest(.post, "/v1/pings", body: Data(body.utf8))
      await #expect(throws: (any Error).self) {
        _ = try await route.answer(request, [:], by: DependencyValues())
      }
    }
  }

  @Test("docs/server.md lists every route as the code declares it")
  func documentation() throws {
    let path = #filePath.replacing(
      "Tests/ServerTests/Protocol/RouteTests.swift", with: "docs/server.md")
    let text = try TestFiles.text(path)
    let rows = Route.all.map { route in
      let who =
        switch route.access {
        case .anyone: "anyone"
        case .signedIn: "signed in"
        case .signsIn: "anyone, signs in"
        case .signsOut: "signed in, ends it"
        }
      let arguments =
        route.arguments.isEmpty ? "–" : route.arguments.map { "`\($0)`" }.joined(separator: ", ")
      return
        "| `\(route.method.rawValue) \(route.path)` | \(route.name)\(route.isObserved ? ", observed" : "") | \(arguments) | \(who) |"
    }
    let table = (["| Request | Operation | Arguments | Who |", "|---|---|---|---|"] + rows).joined(
      separator: "\n")
    let start = try #require(text.firstRange(of: "<!-- routes:"))
    let lineEnd = try #require(text[start.lowerBound...].firstRange(of: "-->\n")).upperBound
    let end = try #require(text.firstRange(of: "<!-- end of routes -->")).lowerBound
    if TestFiles.isRecording {
      try TestFiles.write(text[..<lineEnd] + table + "\n" + text[end...], to: path)
    } else {
      #expect(text[lineEnd..<end] == table + "\n")
    }
  }

  static func segments(of path: String) -> [String]? {
    var segments: [String] = []
    for part in path.split(separator: "/") {
      guard let text = PercentCoding.decode(part) else { return nil }
      segments.append(text)
    }
    return segments
  }
}

/// Records requests and gives the same answer to each.
final class Recorder: ServerTransport {
  let requests = Mutex<[ServerRequest]>([])
  private let answer: Data?
  private let grants: Bool

  init(answer: Data?, grants: Bool) {
    self.answer = answer
    self.grants = grants
  }

  func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer {
    requests.withLock { $0.append(request) }
    guard grants else { return ServerAnswer(status: 200, body: answer ?? Data()) }
    guard let body = try? Route.grant(Secret("token"), answer) else { throw .connectionFailed }
    return ServerAnswer(status: 200, body: body)
  }

  func keep(_ token: Secret<String>?) async throws(StorageError) {}
  func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
