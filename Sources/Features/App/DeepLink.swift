import Composable
public import Domain
public import FoundationEssentials

/// A place in the app, as a `lifesignal://` link names it.
public enum DeepLink: Codable, Equatable, Sendable {
  /// Ask the account with this code to be a contact.
  case add(SharedCode)
  case contact(Contact.ID)
  case profile
  case alerts

  /// Reads `lifesignal://add/<uuid>`, that with a server before the code, `lifesignal://contact/<id>`, `lifesignal://profile` and
  /// `lifesignal://alerts`, in any case.
  /// - Returns: `nil` for any other text.
  public init?(_ text: String) {
    let link = text.lowercased().filter { !$0.isWhitespace }
    let scheme = "lifesignal://"
    guard link.hasPrefix(scheme) else { return nil }
    let parts = link.dropFirst(scheme.count).split(separator: "/")
    switch (parts.first, parts.count) {
    case ("add", 2...3):
      guard let code = try? SharedCode(parsing: link) else { return nil }
      self = .add(code)
    case ("contact", 2):
      guard let id = UUID(uuidString: String(parts[1])) else { return nil }
      self = .contact(id)
    case ("profile", 1): self = .profile
    case ("alerts", 1): self = .alerts
    default: return nil
    }
  }
}

extension MainTabFeature.State {
  /// Goes to the place of a link.
  /// - Returns: Whether it is there: a contact may be unknown, or not read yet.
  mutating func open(_ link: DeepLink) -> Bool {
    switch link {
    case .add(let code):
      selectedTab = .responders
      responders.destination = .codeEntry(CodeEntryFeature.State(adding: .responder, code: code))
    case .contact(let id):
      guard let contact = snapshot.contacts.first(where: { $0.id == id }) else { return false }
      let details = ContactListFeature.Destination.State.details(
        ContactDetailsFeature.State(contact: contact, snapshot: snapshot))
      if contact.roles.contains(.dependent) {
        selectedTab = .dependents
        dependents.select(id)
        dependents.destination = details
      } else {
        selectedTab = .responders
        responders.select(id)
        responders.destination = details
      }
    case .profile: selectedTab = .profile
    case .alerts: selectedTab = .alerts
    }
    return true
  }

  /// Reads the picture of the contact that a link has led to; `nil` where there is none.
  func pictureRequest(for link: DeepLink) -> MainTabFeature.Action? {
    guard case .contact(let id) = link,
      let picture = snapshot.contacts.first(where: { $0.id == id })?.link?.picture
    else { return nil }
    let wanted = ContactListFeature.Action.destination(
      .presented(.details(.portrait(.wanted(picture)))))
    return selectedTab == .dependents ? .dependents(wanted) : .responders(wanted)
  }
}
