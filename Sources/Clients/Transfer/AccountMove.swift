public import Domain
public import FoundationEssentials

/// An account on its way to a server: its export, and what stands in no file. It travels over the connection to
/// the server only, and is kept nowhere.
public struct AccountMove: Equatable, Codable, Sendable {
  public var export: AccountExport
  /// By channel: what signs a webhook, or opens a topic or a service.
  public var secrets: [Channel.ID: Secret<String>]
  /// Hashes of the passphrases as they are, and as they seem.
  public var gate: GateHashes
  /// Whether a link of a message checks in (CHK-8).
  public var takesLinks: Bool
  /// The file with the person's picture.
  public var picture: UUID?
  /// Who watches if the machine is off.
  public var standby: Standby
  /// The server to which the account has moved already.
  public var movedTo: String?

  public init(
    export: AccountExport, secrets: [Channel.ID: Secret<String>] = [:],
    gate: GateHashes = GateHashes(), takesLinks: Bool = false, picture: UUID? = nil,
    standby: Standby = Standby(), movedTo: String? = nil
  ) {
    self.export = export
    self.secrets = secrets
    self.gate = gate
    self.takesLinks = takesLinks
    self.picture = picture
    self.standby = standby
    self.movedTo = movedTo
  }

  /// What a passphrase is checked against.
  public struct GateHashes: Equatable, Codable, Sendable {
    public var gate: Secret<String>?
    public var duress: Secret<String>?
    /// What the gate seems to be; empty for none.
    public var seeming: Secret<String>?

    public init(
      gate: Secret<String>? = nil, duress: Secret<String>? = nil, seeming: Secret<String>? = nil
    ) {
      self.gate = gate
      self.duress = duress
      self.seeming = seeming
    }
  }

  /// Why an account can't move now.
  public enum Obstacle: Equatable, Codable, Sendable {
    case alert, drill
    /// The deadline has passed.
    case deadline
    /// Others have their account in the same store.
    case otherAccounts
    /// Contacts with an account in the same store.
    case linkedContacts([String])
    /// It has moved to another server.
    case movedBefore(to: String)
    /// There is something in the server's account already.
    case notEmpty
    /// Another account of the server came from the same one.
    case takenOver
    /// A channel's secret or a passphrase isn't one.
    case invalid
  }
}

extension AccountMove.Obstacle {
  var text: ErrorText {
    switch self {
    case .alert:
      ErrorText(
        "MOVE_ALERT", "An alert is on, and an account doesn't move during one.",
        recovery: "End it first. Nothing was moved.")
    case .drill:
      ErrorText(
        "MOVE_DRILL", "A drill is running.", recovery: "Wait until it is over, then move again.")
    case .deadline:
      ErrorText(
        "MOVE_DEADLINE", "Your deadline has passed.",
        recovery: "Check in first, then move again.")
    case .otherAccounts:
      ErrorText(
        "MOVE_OTHERS", "Other people have their account in this store, too.",
        recovery: "Each of them needs a computer or user account of their own first.")
    case .linkedContacts(let names):
      ErrorText(
        "MOVE_LINKED",
        "You are linked with \(names.joinedAsList) in this store, and a link doesn't move.",
        recovery: "Remove these contacts first; add each again by code once both are on the server."
      )
    case .movedBefore(let server):
      ErrorText(
        "MOVED", "This account has moved to \(server).",
        recovery:
          "Finish with lifesignal join LINK --bring-account and the same link, or use the copy on this computer"
          + " again with lifesignal leave --use-copy.")
    case .notEmpty:
      ErrorText(
        "MOVE_NOT_EMPTY", "Your account on the server isn't new.",
        recovery: "Nothing was moved. Delete that one in the app, or export and import instead.")
    case .takenOver:
      ErrorText(
        "MOVE_TAKEN", "This account was brought to the server before, under another address.",
        recovery: "Sign in with that address, or delete that account first.")
    case .invalid:
      ErrorText(
        "MOVE_INVALID", "What was sent isn't an account of LifeSignal.",
        recovery: "Nothing was moved.")
    }
  }
}
