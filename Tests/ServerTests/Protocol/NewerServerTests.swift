import Clients
import Composable
import Domain
import FoundationEssentials
import ServerTesting
import Testing

@testable import ServerProtocol

/// An app of today with a server of tomorrow.
@Suite struct NewerServerTests {
  private static let enums: [any (ExtensibleEnum & CaseIterable).Type] = [
    CheckIn.Source.self, Alert.Kind.self, DeliveryState.self, AccountLink.State.self,
    Ping.State.self, Invitation.End.self, EmergencyDocument.Access.self,
    NotificationItem.Kind.self, Channel.Kind.self,
  ]

  /// The values of each enum.
  private static let values: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: enums.map { type in
      (
        String(reflecting: type),
        Set(type.allCases.compactMap { ($0 as? any ExtensibleEnum)?.text })
      )
    })

  /// Returns a JSON text with each value of an extensible enum, and each stage, replaced by another
  /// one, and which of them there were.
  private static func ofTomorrow(_ json: Data) -> (json: Data, replaced: Set<String>) {
    var replaced: Set<String> = []
    let text = String(decoding: json, as: UTF8.self).replacing(/"([A-Za-z][A-Za-z_0-9:-]*)"(?!:)/) {
      let text = String($0.1)
      if Stage(storageKey: text) != nil {
        replaced.insert("Stage")
      } else {
        let names = values.filter { $0.value.contains(text) }.keys
        guard !names.isEmpty else { return String($0.0) }
        replaced.formUnion(names)
      }
      return "\"of_tomorrow\""
    }
    return (Data(text.utf8), replaced)
  }

  @Test("Unknown values from a newer server don't make its answer unreadable")
  func everyRoute() async throws {
    var replaced: Set<String> = []
    for seed in UInt64(0)..<8 {
      var samples = Samples(seed: seed)
      for route in Route.all {
        guard let type = route.types.answer else { continue }
        var arguments: [any Codable & Sendable] = []
        for type in route.types.arguments {
          arguments.append(try samples.required(type, of: route))
        }
        let answer = Self.ofTomorrow(
          try WireCoding.encode(try samples.required(type, of: route)))
        guard !answer.replaced.isEmpty else { continue }
        replaced.formUnion(answer.replaced)
        let request = try route.request(values: arguments)
        let server = Recorder(answer: answer.json, grants: route.access == .signsIn)
        var values = DependencyValues()
        values.context = .test
        route.connect(to: server, in: &values)
        let path = try #require(RouteTests.segments(of: request.path))
        let found = try #require(Route.find(request.method, path))
        await #expect(throws: Never.self, "\(route.name)") {
          _ = try await found.route.answer(request, found.arguments, by: values)
        }
      }
    }
    // No answer has these alone: they come with a refusal.
    let inRefusals: Set = ["Domain.Invitation.End"]
    #expect(
      Set(Self.values.keys).union(["Stage"]).subtracting(inRefusals).subtracting(replaced) == [])
  }

  @Test("A refusal with an unknown value is still read as that refusal")
  func refusal() throws {
    let known = ServerRefusal(.invitationOver(.used), now: Date(timeIntervalSince1970: 0))
    let answer = Self.ofTomorrow(known.body)
    #expect(answer.replaced.contains("Domain.Invitation.End"))
    guard
      case .invitationOver = ServerRefusal.error(
        of: ServerAnswer(status: known.status, body: answer.json))
    else {
      Issue.record("It is another error.")
      return
    }
  }

  @Test("An unknown kind of channel is shown by its name and can't replace the real channel")
  func channel() throws {
    let id = UUID()
    let json = Data(#"{"id": "\#(id)", "kind": "sms", "address": "+4915112345678"}"#.utf8)
    let channel = try WireCoding.decodeAnswer(Channel.self, from: json)
    #expect(channel.id == id && channel.kind == .service)
    #expect(channel.address == "sms (needs a newer lifesignal): +4915112345678")
    #expect(throws: ValidationError.newerChannel) {
      try ChannelDraft(channel.kind, channel.address).checked()
    }
    let again = try WireCoding.decodeAnswer(Channel.self, from: try WireCoding.encode(channel))
    #expect(again == channel)
  }

  @Test("A server refuses enum values that it doesn't know instead of reading them as others")
  func requests() {
    for type in Self.enums {
      #expect(throws: (any Error).self) {
        try WireCoding.decode(type, from: Data("\"of_tomorrow\"".utf8))
      }
    }
    #expect(throws: (any Error).self) {
      try WireCoding.decode(Stage.self, from: Data("\"of_tomorrow\"".utf8))
    }
  }

  @Test("Every enum of Domain accepts unknown values or is listed here with the reason")
  func everyEnum() throws {
    let folder = #filePath.replacing(
      "Tests/ServerTests/Protocol/NewerServerTests.swift", with: "Sources/Domain")
    let declared = try TestFiles.swift(in: folder).flatMap {
      $0.matches(of: /enum (\w+): String, [^{\n]*Codable/).map { String($0.1) }
    }
    let known = Set(Self.enums.map { "\($0)" }).union(Self.closed.keys)
    #expect(Set(declared).subtracting(known) == [])
  }

  private static let closed = [
    // `Response.Kind`, too: which of the two a code did can't be guessed.
    "Kind": "that of an alert, a channel and a notification grow; a delivery's outcome isn't sent",
    "Mark": "computed by the app", "Topic": "unknown ones are left out and so stay on",
    "GatedOperation": "only in requests", "ErrorFamily": "computed by the app",
    "CheckInStatus": "computed by the app",
    "Quota": "part of an error, and one that isn't known is shown by its message",
    "Part": "only on this machine",
  ]
}

extension ExtensibleEnum {
  fileprivate var text: String { rawValue }
}
