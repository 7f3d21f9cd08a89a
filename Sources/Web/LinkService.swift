/// What the pages behind the links in messages ask and say; whoever serves them fills it (ESC-2,
/// CON-3).
public struct LinkService: Sendable {
  /// What pressing the button would do.
  public struct Invitation: Equatable, Sendable {
    public enum Purpose: Equatable, Sendable {
      /// To say that one takes care of somebody.
      case acknowledge
      /// To be a contact no longer.
      case decline
    }

    public var purpose: Purpose
    /// The person whom it is about.
    public var name: String

    public init(purpose: Purpose, name: String) {
      self.purpose = purpose
      self.name = name
    }
  }

  public enum Answer: Equatable, Sendable {
    case done(Invitation)
    /// The code is unknown, used, or worth nothing any more.
    case unknown
    /// The store cannot be asked now.
    case unavailable
  }

  /// What a code is good for. It changes nothing: programs that look at a message's links come here,
  /// too.
  public var look: @Sendable (_ code: String) async -> Answer
  /// Uses a code.
  public var respond: @Sendable (_ code: String) async -> Answer

  public init(
    look: @escaping @Sendable (String) async -> Answer,
    respond: @escaping @Sendable (String) async -> Answer
  ) {
    self.look = look
    self.respond = respond
  }
}
