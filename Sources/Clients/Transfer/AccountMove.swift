public import Domain
public import FoundationEssentials

/// An account on its way to a server: its export, and what no file contains. It is sent only over
/// the connection to the server, and stored nowhere.
public struct AccountMove: Equatable, Codable, Sendable {
  public var export: AccountExport
  /// The secrets that sign a webhook, or open a topic or a service, by channel.
  public var secrets: [Channel.ID: Secret<String>]
  /// The hashes of the passphrases, both the real ones and those that seem to be set.
  public var gate: GateHashes
  /// Whether a link in a message checks in (CHK-8).
  public var takesLinks: Bool
  /// The file with the person's picture.
  public var picture: UUID?
  /// The services that notice when the machine is off.
  public var standby: Standby
  /// The server to which the account has moved already, or `nil`.
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

  /// The hashes against which a passphrase is checked.
  public struct GateHashes: Equatable, Codable, Sendable {
    public var gate: Secret<String>?
    public var duress: Secret<String>?
    /// The hash of the passphrase that seems to be set; empty for none.
    public var seeming: Secret<String>?

    public init(
      gate: Secret<String>? = nil, duress: Secret<String>? = nil, seeming: Secret<String>? = nil
    ) {
      self.gate = gate
      self.duress = duress
      self.seeming = seeming
    }
  }

  /// The reason why an account can't move now.
  public enum Obstacle: Equatable, Codable, Sendable {
    case alert, drill
    /// The deadline has passed.
    case deadline
    /// The person was to be back from an outing by now.
    case outing
    /// Other people have their accounts in the same store.
    case otherAccounts
    /// The person has contacts with an account in the same store.
    case linkedContacts([String])
    /// It has moved to another server.
    case movedBefore(to: String)
    /// The account on the server is not empty.
    case notEmpty
    /// Another account on the server came from the same one.
    case takenOver
    /// A channel's secret or a passphrase is not valid.
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
    case .outing:
      ErrorText(
        "MOVE_OUTING", "You were to be back from your outing by now.",
        recovery: "Say lifesignal back first, then move again.")
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
        "MOVE_INVALID", "What was sent isn't a LifeSignal account.",
        recovery: "Nothing was moved.")
    }
  }
}
