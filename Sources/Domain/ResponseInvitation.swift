public import FoundationEssentials

/// The purpose of a message's code, as its page shows it (PAGE-1).
public struct ResponseInvitation: Equatable, Codable, Sendable {
  /// The person the message was about.
  public var person: String
  /// The name of the person who was sent the code.
  public var responder: String
  /// Whether the code was used before.
  public var hasResponded: Bool
  /// Whether they have withdrawn their response.
  public var hasWithdrawn: Bool
  /// The alert that the code acknowledges while it is on; `nil` for a code to stop being a contact.
  public var call: Call?

  /// An alert, with what a responder needs to know about its person.
  public struct Call: Equatable, Codable, Sendable {
    public var alert: Alert
    /// The person's phone number in E.164 form, or `nil`.
    public var phone: String?
    /// The emergency note; can be empty.
    public var note: String
    /// Where the person lives, or `nil`.
    public var address: String?
    /// How to get in, or `nil`; always `nil` in a drill.
    public var access: String?
    public var lastCheckIn: Date
    /// Where the last check-in came from, or `nil` if that is not known.
    public var lastSource: CheckIn.Source?

    public init(
      alert: Alert, phone: String?, note: String, lastCheckIn: Date,
      lastSource: CheckIn.Source? = nil, address: String? = nil, access: String? = nil
    ) {
      self.alert = alert
      self.phone = phone
      self.note = note
      self.lastCheckIn = lastCheckIn
      self.lastSource = lastSource
      self.address = address
      self.access = access
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
