import Clients
import Cryptography
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import Store
import Testing

@testable import Server

/// What each person can do to each other one, on every route. The expectations follow from CON-7
/// and DOC-1: an active relation shows what it is for, and nobody else sees or changes anything.
/// Someone else's identifier gets the same answer as one that never existed.
@Suite("Authorization", .timeLimit(.minutes(5)))
struct AuthorizationTests {
  /// The clients, by their relation to Ada.
  enum Visitor: String, CaseIterable {
    case noToken, unknownToken, expired, deleted, disabled
    case other, pending, declined, former

    /// Whether their token is valid.
    var hasValidToken: Bool { [.other, .pending, .declined, .former].contains(self) }
    /// The status for an invalid token. Disabled accounts are informed that they are disabled.
    var refusal: Int { self == .disabled ? 403 : 401 }
  }

  /// The kind of object that an identifier in a request names.
  enum Kind: CaseIterable {
    case session, contact, relation, invitation, ping, alert, notification, channel, file
  }

  /// The routes with an identifier in their arguments.
  static let kinds: [String: Kind] = [
    "AuthClient.revokeSession": .session, "ContactsClient.delete": .contact,
    "ContactsClient.accept": .relation, "ContactsClient.decline": .relation,
    "ContactsClient.setRoles": .relation, "PingClient.send": .relation,
    "InvitationClient.revoke": .invitation,
    "PingClient.answer": .ping, "PingClient.withdraw": .ping, "AlertClient.acknowledge": .alert,
    "AlertClient.withdraw": .alert,
    "ChannelsClient.add": .contact,
    "ChannelsClient.remove": .channel, "ChannelsClient.setMuted": .channel,
    "ChannelsClient.secret": .channel, "ChannelsClient.replaceSecret": .channel,
    "ChannelsClient.sendTest": .channel,
    "ChannelsClient.log": .channel, "ChannelsClient.observeLog": .channel,
    "NotificationClient.markAsRead": .notification, "NotificationClient.delete": .notification,
    "DocumentsClient.documentsOf": .relation, "DocumentsClient.observeOf": .relation,
    "DocumentsClient.rename": .file, "DocumentsClient.setAccess": .file,
    "FileStorageClient.url": .file, "FileStorageClient.read": .file,
    "FileStorageClient.delete": .file,
  ]

  @Test("CON-7, DOC-1: on every route, people without access can't read or change someone's data")
  func matrix() async throws {
    let scene = try await Scene()
    var asked = 0
    for visitor in Visitor.allCases {
      let app = try #require(scene.visitors[visitor])
      let before = try await scene.picture()
      for route in Route.all where visitor.hasValidToken == (Self.kinds[route.name] != nil) {
        var samples = Samples(seed: UInt64(asked))
        if !visitor.hasValidToken {
          // The request is refused before its arguments are read.
          let request = try Self.request(route, &samples, id: UUID())
          let answer = try await app.raw(request)
          let expected = route.access.needsSession ? visitor.refusal : nil
          #expect(
            expected.map { $0 == answer.status } ?? (answer.status != 500),
            "\(visitor) \(route.name) \(answer.status)")
          asked += 1
          continue
        }
        guard let kind = Self.kinds[route.name] else { continue }
        // Someone else's identifier gets the same answer as one that never existed. Use the same
        // samples, so that nothing else differs.
        var same = samples
        for id in scene.ids[kind] ?? [] {
          let others = try await app.raw(try Self.request(route, &samples, id: id))
          let random = UUID()
          let never = try await app.raw(try Self.request(route, &same, id: random))
          #expect(
            others.status == never.status,
            "\(visitor) \(route.name): \(others.status), \(never.status)")
          #expect(
            Self.without(id, others.text) == Self.without(random, never.text),
            "\(visitor) \(route.name)")
          asked += 2
        }
      }
      #expect(try await scene.picture() == before, "\(visitor) has changed something")
    }
    print("authorization: \(asked) requests")
    #expect(asked > 500)
  }

  @Test(
    "CON-7: the identifiers that strangers can't use work for their owner"
  )
  func own() async throws {
    for (name, kind) in Self.kinds.sorted(by: { $0.key < $1.key }) {
      // Each route gets its own scene, since many of them delete the object they name.
      guard !Self.routesOfOthers.contains(name) else { continue }
      let scene = try await Scene()
      let route = try #require(Route.all.first { $0.name == name })
      var samples = Samples(seed: 7)
      let id = try #require(scene.ids[kind]?.first)
      let own = try await scene.ada.raw(try Self.request(route, &samples, id: id))
      let never = try await scene.ada.raw(try Self.request(route, &samples, id: UUID()))
      // Deleting something that doesn't exist isn't an error.
      let isSilent = [
        "AuthClient.revokeSession", "NotificationClient.delete", "NotificationClient.markAsRead",
        "FileStorageClient.delete", "InvitationClient.revoke",
      ].contains(name)
      #expect(own.status != never.status || isSilent, "\(name): \(own.status)")
      #expect(
        own.status < 300 || [409, 422].contains(own.status), "\(name): \(own.status) \(own.text)")
    }
  }

  /// The routes that don't apply to Ada in the scene: the other side uses them, or they were
  /// already used.
  private static let routesOfOthers: Set<String> = [
    "PingClient.answer", "PingClient.send", "PingClient.withdraw", "ContactsClient.accept",
    "ContactsClient.decline", "ContactsClient.setRoles", "AlertClient.acknowledge",
    "AlertClient.withdraw",
    "DocumentsClient.documentsOf", "DocumentsClient.observeOf",
  ]

  @Test("ALT-7: nobody can stop someone else's armed alert, even with its identifier")
  func armed() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let otto = try await world.signUp("Otto")
    let id = UUID()
    _ = try await ada.clients.alertClient.arm(id, "help", .seconds(60))
    try? await otto.clients.alertClient.disarm(id)
    for app in [ada, otto] {
      var armed = app.clients.alertClient.observeArmed().makeAsyncIterator()
      #expect(try await armed.next()??.id == (app === ada ? id : nil))
    }
  }

  @Test("DOC-1: a responder can read a document when its access allows, and nobody else can")
  func documents() async throws {
    let scene = try await Scene()
    let always = try #require(scene.ids[.file]?.first)
    let duringAlert = try #require(scene.ids[.file]?.last)
    func status(_ app: RemoteApp, _ id: UUID) async throws -> Int {
      try await app.raw(
        ServerRequest(.get, "/v1/files/\(id)/part", query: ["offset": "0", "count": "10"])
      ).status
    }
    #expect(try await status(scene.responder, always) == 200)
    // The alert in the scene is on.
    #expect(try await status(scene.responder, duringAlert) == 200)
    _ = try await scene.ada.clients.alertClient.cancel()
    #expect(try await status(scene.responder, duringAlert) == 403)
    for visitor in Visitor.allCases {
      let app = try #require(scene.visitors[visitor])
      for id in [always, duringAlert] {
        #expect(
          try await status(app, id) == (visitor.hasValidToken ? 404 : visitor.refusal), "\(visitor)"
        )
      }
    }
    let relation = try #require(scene.ids[.relation]?.first)
    #expect(try await scene.responder.clients.documentsClient.documentsOf(relation).count == 2)
    // Responders can read but never change.
    for (method, path) in [(Route.Method.delete, ""), (.put, "/name"), (.put, "/access")] {
      let body = path.isEmpty ? Data() : Data(#"{"name":"mine","access":"always"}"#.utf8)
      let answer = try await scene.responder.raw(
        ServerRequest(method, "/v1/files/\(always)\(path)", body: body, idempotencyKey: UUID()))
      #expect(answer.status == 404, "\(path)")
    }
  }

  @Test("CON-7: an active responder sees phone and alert message; pending and former ones don't")
  func contacts() async throws {
    let scene = try await Scene()
    for visitor in [Visitor.other, .declined, .former, .pending] {
      let app = try #require(scene.visitors[visitor])
      for path in ["/v1/contacts", "/v1/observed/contacts", "/v1/alerts", "/v1/notifications"] {
        let answer = try await app.raw(
          ServerRequest(
            .get, path,
            query: path.hasSuffix("contacts")
              ? [:]
              : path.hasSuffix("alerts")
                ? ["limit": "50"] : ["limit": "50", "filter": "{\"isUnreadOnly\":false}"]))
        #expect(answer.status == 200, "\(path) \(answer.text)")
        for secret in [Scene.phone, Scene.note, Scene.message] {
          #expect(!answer.text.contains(secret), "\(visitor) \(path)")
        }
      }
    }
    let seen = try await scene.responder.raw(ServerRequest(.get, "/v1/contacts"))
    #expect(seen.text.contains(Scene.phone) && seen.text.contains(Scene.message))
  }

  // MARK: Requests

  /// A request with sample arguments but the given identifier.
  private static func request(
    _ route: Route, _ samples: inout Samples, id: UUID
  ) throws -> ServerRequest {
    let isNamed = kinds[route.name] != nil
    let arguments = try route.types.arguments.map { type -> any Codable & Sendable in
      if isNamed {
        if type == UUID.self { return id }
        if type == UUID?.self { return Optional(id) }
        if type == StoredFileURL.self { return StoredFileURL(id) }
        if type == Secret<String>?.self { return Secret<String>?.none as Secret<String>? }
        if type == ChannelDraft.self { return ChannelDraft(.email, "new@example.org") }
        if type == Int.self { return 4 }
        if type == String.self { return "a name" }
        if type == TimeSpan.self { return TimeSpan.seconds(60) }
      }
      return try samples.required(type, of: route)
    }
    return try route.request(values: arguments)
  }

  /// The text without identifiers, which differ.
  private static func without(_ id: UUID, _ text: String) -> String {
    text.replacing(id.uuidString, with: "ID").replacing(id.uuidString.lowercased(), with: "ID")
      .replacing(/[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}/, with: "UUID")
  }

  /// Ada with one object of every kind, and people in every relation to her.
  private struct Scene {
    static let phone = "+46701234567"
    static let note = "Penicillin allergy"
    static let message = "I fell on the stairs"

    let world: ServerWorld
    let ada: RemoteApp
    let responder: RemoteApp
    var visitors: [Visitor: RemoteApp] = [:]
    var ids: [Kind: [UUID]] = [:]

    init() async throws {
      world = try ServerWorld()
      // First of all, let a session expire for lack of use.
      let old = try await world.signUp("Xerxes")
      world.now += Double(Session.lifetime.seconds) + 60
      ada = try await world.signUp("Ada", phone: Self.phone, note: Self.note)
      let clients = ada.clients
      let code = try await clients.userClient.currentUser().code
      responder = try await world.signUp("Rut")
      let active = try await responder.clients.contactsClient.request(code, .dependent)
      _ = try await clients.contactsClient.accept(active.id)

      visitors[.noToken] = world.app()
      visitors[.unknownToken] = world.app(token: String(repeating: "0", count: 64))
      visitors[.expired] = old
      let deleted = try await world.signUp("Del")
      let token = deleted.token
      try await deleted.clients.authClient.deleteAccount(Secret("password of Del"))
      visitors[.deleted] = world.app(token: token)
      visitors[.disabled] = try await world.signUp("Dis")
      _ = try await world.store.administration.setDisabled(true, email: "dis@example.org")
      visitors[.other] = try await world.signUp("Otto")
      let pending = try await world.signUp("Pia")
      _ = try await pending.clients.contactsClient.request(code, .dependent)
      visitors[.pending] = pending
      let declined = try await world.signUp("Dan")
      let refused = try await declined.clients.contactsClient.request(code, .dependent)
      try await clients.contactsClient.decline(refused.id)
      visitors[.declined] = declined
      let former = try await world.signUp("Fia")
      let past = try await former.clients.contactsClient.request(code, .dependent)
      _ = try await clients.contactsClient.accept(past.id)
      try await clients.contactsClient.delete(past.id)
      visitors[.former] = former

      let outside = try await clients.contactsClient.add(
        ContactDraft(
          name: "Outside", channels: [ChannelDraft(.email, "out@example.org")], roles: .responder))
      let hook = try await clients.channelsClient.add(
        ChannelDraft(.webhook, "https://example.org/hook"), nil)
      let alert = try await clients.alertClient.raise(Self.message)
      let ping = try await responder.clients.pingClient.send(active.id)
      var files: [UUID] = []
      for access in [EmergencyDocument.Access.always, .duringAlert] {
        let events = clients.fileStorageClient.upload(
          Data("%PDF-1.4 \(access)".utf8),
          StorageMetadata(
            name: "\(access).pdf", contentType: ContentType(rawValue: "application/pdf"),
            access: access))
        for await case .completed(let document) in events { files.append(document.id) }
      }
      _ = try await clients.notificationClient.addLocal(.info, "", "")
      ids = [
        .session: try await clients.authClient.sessions().map(\.id), .contact: [outside.id],
        .relation: [active.id],
        .invitation: [
          try await clients.invitationClient.add(SecureToken.invitation.digest, .responder).id
        ], .ping: [ping.id], .alert: [alert.id],
        .notification: try await clients.notificationClient.notifications(1, NotificationFilter())
          .map(\.id), .channel: [hook.channel.id], .file: files,
      ]
    }

    /// All of Ada's data, as she sees it.
    func picture() async throws -> String {
      var texts: [String] = []
      for path in [
        "/v1/me", "/v1/contacts", "/v1/channels", "/v1/files", "/v1/sessions", "/v1/standby",
        "/v1/invitations",
        "/v1/check-ins?limit=99", "/v1/alerts?limit=99",
        "/v1/notifications?limit=99&filter=%7B%22isUnreadOnly%22%3Afalse%7D",
      ] {
        let parts = path.split(separator: "?")
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
          let words = pair.split(separator: "=")
          query[String(words[0])] = String(words[1]).removingPercentEncoding
        }
        let answer = try await ada.raw(ServerRequest(.get, String(parts[0]), query: query))
        #expect(answer.status == 200, "\(path) \(answer.text)")
        texts.append(answer.text)
      }
      return texts.joined(separator: "\n")
    }
  }
}
