public import FoundationEssentials

/// What the code of a message is for, as its page shows it (PAGE-1).
public struct ResponseInvitation: Equatable, Codable, Sendable {
  /// The person the message was about.
  public var person: String
  /// Who was sent the code.
  public var responder: String
  /// Whether the code was used before.
  public var hasResponded: Bool
  /// Whether they took back that they are responding.
  public var hasWithdrawn: Bool
  /// The alert that it acknowledges while that is on; `nil` for a code to be a contact no longer.
  public var call: Call?

  /// An alert, and what a responder needs to know of its person.
  public struct Call: Equatable, Codable, Sendable {
    public var alert: Alert
    /// In E.164 form.
    public var phone: String?
    /// The emergency note; may be empty.
    public var note: String
    public var lastCheckIn: Date
    /// Where that came from; `nil` where it is not known.
    public var lastSource: CheckIn.Source?

    public init(
      alert: Alert, phone: String?, note: String, lastCheckIn: Date,
      lastSource: CheckIn.Source? = nil
    ) {
      self.alert = alert
      self.phone = phone
      self.note = note
      self.lastCheckIn = lastCheckIn
      self.lastSource = lastSource
    }
  }

  public init(
    person: String, responder: String, hasResponded: Bool = false, hasWithdrawn: Bool = false,
    call: Call? = nil
  ) {
    self.person = person
    self.responder = responder
    self.hasResponded = hasResponded
    self.hasWithdrawn = hasWithdrawn
    self.call = call
  }
}
