import Composable
public import Domain
public import FoundationEssentials

/// The target of a `lifesignal://` link.
public enum DeepLink: Codable, Equatable, Sendable {
  /// Asks the account with this code to be a contact.
  case add(SharedCode)
  case contact(Contact.ID)
  case profile
  case alerts

  /// Parses `lifesignal://add/<uuid>`, `lifesignal://add/<server>/<uuid>`,
  /// `lifesignal://contact/<id>`, `lifesignal://profile` or `lifesignal://alerts`, ignoring case.
  /// Returns `nil` for any other text.
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

/// What a pasted text is where no field takes it. The text itself isn't kept: it can be a secret.
enum PastedText: Codable, Equatable, Sendable {
  case link(DeepLink)
  /// An invitation to a server, which is used in a shell.
  case invitation
  case other

  init(_ text: String) {
    self =
      SharedCode.isServerLink(text) ? .invitation : DeepLink(text).map(Self.link) ?? .other
  }
}

extension AppSession {
  /// Opens a link that was pasted where no field takes it, or says why nothing happens.
  public func paste(_ text: String) { store.send(.pasted(PastedText(text))) }
}

extension MainTabFeature.State {
  /// Opens a link.
  /// - Returns: The actions that follow from it, or `nil` if its target doesn't exist: a contact can be
  ///   unknown or not loaded yet.
  mutating func open(_ link: DeepLink) -> [MainTabFeature.Action]? {
    var sheets: [OpenSheet] = []
    switch link {
    case .add(let code):
      selectedTab = .responders
      sheets = [OpenSheet(CodeEntryFeature.self, .init(adding: .responder, code: code))]
    case .contact(let id):
      guard let contact = snapshot.contacts.first(where: { $0.id == id }) else { return nil }
      if contact.roles.contains(.dependent) {
        selectedTab = .dependents
        dependents.select(id)
      } else {
        selectedTab = .responders
        responders.select(id)
      }
      sheets = [OpenSheet(ContactDetailsFeature.self, .init(contact: contact, snapshot: snapshot))]
    case .profile: selectedTab = .profile
    case .alerts: selectedTab = .alerts
    }
    path.removeAll()
    return open(sheets)
  }
}
