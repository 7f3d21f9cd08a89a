import Clients
import Composable
import Domain

/// `lifesignal ping`: asks a dependent to check in (PNG-1).
struct PingCommand: StoreCommand {
  var name: String
  var withdraws: Bool
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.pingClient) var pingClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "ping", "Ask a dependent to check in",
    discussion: [
      "They see the ping in LifeSignal (no message is sent), and you see when they answer. An unanswered"
        + " ping expires after 24 hours; until then you can't send another."
    ]
  ) { syntax in
    let name = syntax.argument(
      "NAME", "A dependent's name or its beginning", namesContact: true)
    let withdraw = syntax.flag("withdraw", "Withdraw the open ping")
    return { PingCommand(name: try $0.required(name), withdraws: $0.isSet(withdraw)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let contacts = try await contactsClient.contacts()
    let contact = try contacts.filter(\.isPingable)
      .named(name, "You have no dependent with an account called \(quoted(name)).")
    guard withdraws else {
      let ping = try await pingClient.send(contact.id)
      let end = dateClient.describe(ping.expiresAt)
      return Report([
        "Asked \(contact.name) to check in. They see it in LifeSignal; no message is sent. The ping"
          + " expires \(end)."
      ])
    }
    guard let ping = contact.link?.sentPing else { throw CommandFailure(ClientError.pingNotOpen) }
    _ = try await pingClient.withdraw(ping.id)
    return Report(["Withdrew the ping to \(contact.name)."])
  }
}

extension Contact {
  /// Whether they have an account, and the user responds for them.
  var isPingable: Bool { isLinked && roles.contains(.dependent) }
}

extension [Contact] {
  /// Returns the contact with this name or address; two can have the same name.
  func named(_ name: String, _ nobody: String) throws -> Contact {
    let withAddress = filter {
      $0.channels.contains { $0.address.lowercased() == name.lowercased() }
    }
    if withAddress.count == 1 { return withAddress[0] }
    return try named(name, by: \.name, orElse: "Type more of the name, or their address.")
      ?? { throw CommandFailure(nobody, advice: "See lifesignal contacts.") }()
  }
}

extension [EmergencyDocument] {
  /// Returns the document with this name.
  func named(_ name: String) throws -> EmergencyDocument {
    try named(name, by: \.name)
      ?? {
        throw CommandFailure(
          "There is no document \(quoted(name)).", advice: "See lifesignal documents list.")
      }()
  }
}

extension Array {
  /// Returns the element with this name, in any case, in full or by its beginning; `nil` if there
  /// is none.
  private func named(
    _ name: String, by nameOf: (Element) -> String, orElse advice: String = "Type more of the name."
  ) throws -> Element? {
    let matches = fitting(name, by: nameOf)
    guard matches.count <= 1 || name.isEmpty else {
      throw CommandFailure(
        "\(quoted(name)) could be \(matches.map(nameOf).joinedAsList).",
        advice: advice)
    }
    return name.isEmpty ? nil : matches.first
  }

  /// Returns the elements with this name, in any case; if there are none, those whose names begin
  /// with it.
  func fitting(_ name: String, by nameOf: (Element) -> String) -> [Element] {
    let typed = name.lowercased()
    let exact = filter { nameOf($0).lowercased() == typed }
    return exact.isEmpty ? filter { nameOf($0).lowercased().hasPrefix(typed) } : exact
  }
}
