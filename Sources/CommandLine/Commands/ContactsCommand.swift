import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal contacts`: the people whom the user named.
struct ContactsCommand: StoreCommand {
  var asJSON: Bool
  @Dependency(\.contactsClient) var contactsClient

  static let json = Flag("json", help: "Print one line of JSON, an array of contacts")

  static let declaration = CommandDeclaration(
    name: "contacts", summary: "List your responders and dependents",
    discussion: [
      "Each line has the name, the roles, the e-mail address and the phone number; what is not known"
        + " is a dash. Scripts read the JSON.",
      "A contact in the JSON has the members id, name, roles (responder, dependent), email, phone,"
        + " note and added_at (RFC 3339, UTC).",
    ],
    options: [json.declaration],
    make: { (arguments: ParsedArguments) in ContactsCommand(asJSON: arguments.isSet(json)) })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let contacts = try await attempt { () async throws(ContactsError) in
      try await contactsClient.contacts()
    }
    if asJSON { return Report(verbatim: JSONText.array(contacts.map(\.json)).text) }
    guard !contacts.isEmpty else {
      return Report(warnings: ["There are no contacts yet. Start lifesignal to add one."])
    }
    let rows = contacts.map { contact in
      [
        contact.name, contact.roles.names.joined(separator: ", "), contact.email ?? "-",
        contact.phone ?? "-",
      ].map(\.sanitized)
    }
    return Report(Self.aligned(rows))
  }

  /// The rows as lines in which the columns stand under each other.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (0..<4).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.columns)
      }
      return (cells.dropLast() + [row[3]]).joined(separator: "  ")
    }
  }
}

extension Roles {
  /// `["responder", "dependent"]`, as far as they hold.
  var names: [String] {
    (contains(.responder) ? ["responder"] : []) + (contains(.dependent) ? ["dependent"] : [])
  }
}

extension Contact {
  /// The contact as `contacts --json` prints it.
  var json: JSONText {
    .object([
      .init(name: "id", value: .string(id.uuidString.lowercased())),
      .init(name: "name", value: .string(name)),
      .init(name: "roles", value: .array(roles.names.map(JSONText.string))),
      .init(name: "email", value: .optional(email)),
      .init(name: "phone", value: .optional(phone)),
      .init(name: "note", value: .string(note)),
      .init(name: "added_at", value: .string(addedAt.rfc3339)),
    ])
  }
}
