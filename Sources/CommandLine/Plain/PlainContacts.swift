import Clients
import Composable
import Domain

/// Adds, changes and removes contacts by asking questions (CON-3, CON-4).
struct PlainContacts: Sendable {
  let dialog: PlainDialog
  let invocation: Invocation
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.channelsClient) var channelsClient

  init(_ dialog: PlainDialog, _ invocation: Invocation) {
    self.dialog = dialog
    self.invocation = invocation
  }

  func add() async throws {
    let draft = try await draft(from: nil)
    let contact = try await contactsClient.add(draft)
    dialog.say("\(contact.name) is saved.")
    let own = (try? await channelsClient.overview().own) ?? []
    for doubt in draft.doubts(of: own) { dialog.say(doubt) }
  }

  func change(_ name: String) async throws {
    guard let contact = try await find(name) else { return }
    guard contact.link == nil else {
      return dialog.say("\(contact.name) has an account; only they can change it.")
    }
    dialog.say("Enter keeps what is there.")
    let draft = try await draft(from: contact)
    let changed = try await invocation.passingGate {
      try await contactsClient.update(contact, draft)
    }
    dialog.say("\(changed.name) is saved.")
  }

  func remove(_ name: String) async throws {
    guard let contact = try await find(name) else { return }
    if contact.roles.contains(.responder) {
      dialog.say("\(contact.name) would no longer be notified if you don't check in.")
    }
    try await dialog.require("Type yes to remove \(contact.name):", word: "yes")
    try await invocation.passingGate {
      try await contactsClient.delete(contact.id)
    }
    dialog.say("\(contact.name) is removed.")
  }

  /// Asks the questions of the contact form. For an existing contact, Enter keeps the old answer.
  private func draft(from contact: Contact?) async throws -> ContactDraft {
    let name = try await dialog.ask("Name\(now(contact?.name)):") {
      try ProfileRules.name(kept($0, contact?.name))
    }
    let roles = try await askRoles(contact?.roles)
    let isResponder = roles.contains(.responder)
    let first = contact?.channels.first?.spelling
    let channel = try await dialog.ask(
      "E-mail, webhook, ntfy:topic or desktop\(isResponder ? "" : ", optional")\(now(first)):"
    ) { (text) -> ChannelDraft? in
      let text = kept(text, first)
      return text.isEmpty && !isResponder ? nil : try ChannelDraft(parsing: text)
    }
    let phone = try await dialog.ask("Phone, optional\(now(contact?.phone)):") {
      try ProfileRules.phone(kept($0, contact?.phone))
    }
    let note = try await dialog.ask("Note, optional\(now(contact?.note)):") {
      try ProfileRules.note(kept($0, contact?.note))
    }
    let others = (contact?.channels ?? []).dropFirst().map { ChannelDraft($0.kind, $0.address) }
    return ContactDraft(
      name: name, phone: phone, note: note,
      channels: (channel.map { [$0] } ?? []) + others, roles: roles)
  }

  private func kept(_ text: String, _ old: String?) -> String { text.isEmpty ? old ?? "" : text }

  private func now(_ value: String?) -> String {
    value.map { $0.isEmpty ? "" : ", now \($0)" } ?? ""
  }

  private func askRoles(_ old: Roles?) async throws -> Roles {
    while true {
      let answer = try await dialog.answer(
        "responder, dependent or both\(now(old?.names.joined(separator: " and "))):"
      ).lowercased()
      if answer.isEmpty, let old { return old }
      let choices: [(word: String, roles: Roles)] = [
        ("responder", .responder), ("dependent", .dependent), ("both", [.responder, .dependent]),
      ]
      if !answer.isEmpty, let choice = choices.first(where: { $0.word.hasPrefix(answer) }) {
        return choice.roles
      }
      dialog.say("Say responder, dependent or both, or r, d or b.")
    }
  }

  /// Finds the one contact whose name begins with `name`; says so if there is none or more than
  /// one.
  private func find(_ name: String) async throws -> Contact? {
    let name = name.isEmpty ? try await dialog.answer("Whose name?") : name
    let fitting = try await contactsClient.contacts().fitting(name, by: \.name)
    switch fitting.count {
    case 1 where !name.isEmpty: return fitting[0]
    case 0: dialog.say("There is no contact \(quoted(name)). Say contacts to list them.")
    default: dialog.say("That matches \(fitting.map(\.name).joinedAsList). Type more of the name.")
    }
    return nil
  }
}
