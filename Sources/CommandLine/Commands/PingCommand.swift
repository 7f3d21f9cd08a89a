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

  private static let name = Argument(
    ArgumentDeclaration(
      placeholder: "NAME", help: "Whom: a name, or enough of its beginning"),
    read: { (text: String) throws(InvalidValue) in text })
  private static let withdraw = Flag("withdraw", help: "Take back the ping that is open")

  static let declaration = CommandDeclaration(
    name: "ping", summary: "Ask somebody whom you respond for to check in",
    discussion: [
      "They see the ping at once, and you see when they answer. A ping that is not answered expires"
        + " after 24 hours; until then there is no second one."
    ],
    arguments: [name.declaration], options: [withdraw.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      PingCommand(
        name: try arguments.required(name), withdraws: arguments.isSet(withdraw))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let contacts = try await attempt { () async throws(ContactsError) in
      try await contactsClient.contacts()
    }
    let contact = try contacts.filter { $0.link != nil && $0.roles.contains(.dependent) }
      .named(name, "You respond for nobody with an account who is called \(quoted(name)).")
    guard withdraws else {
      let ping = try await attempt { () async throws(PingError) in
        try await pingClient.send(contact.id)
      }
      let end = dateClient.calendar.describe(ping.expiresAt, now: dateClient.now())
      return Report(["\(contact.name) is asked to check in. The ping expires \(end)."])
    }
    guard let ping = contact.link?.sentPing else { throw CommandFailure(PingError.notOpen) }
    _ = try await attempt { () async throws(PingError) in try await pingClient.withdraw(ping.id) }
    return Report(["The ping to \(contact.name) is taken back."])
  }
}

extension [Contact] {
  /// The one whom a name means: in any case, in full or by its beginning.
  func named(_ name: String, _ nobody: String) throws(CommandFailure) -> Contact {
    let typed = name.lowercased()
    let exact = filter { $0.name.lowercased() == typed }
    let matches = exact.isEmpty ? filter { $0.name.lowercased().hasPrefix(typed) } : exact
    guard let first = matches.first, !typed.isEmpty else {
      throw CommandFailure(nobody, advice: "See lifesignal contacts.")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        "\(quoted(name)) may be \(matches.map(\.name).joinedAsList).",
        advice: "Write more of the name.")
    }
    return first
  }
}
