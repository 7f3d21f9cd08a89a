public import Composable
public import Domain

/// Answers to a message with the code in it, which need no account.
public struct ResponseClient: ClientInterface {
  /// Answers with the code of a message, in any case and spacing. The code from an alert says that
  /// its recipient is responding to it, and to every other alert that is on for the same person
  /// (ESC-2). The code from the message that a person was named as a contact says that they don't
  /// want to be one (CON-3).
  ///
  /// Anyone who has the message can answer it, without signing in and without the gate. A
  /// code that is given twice counts once.
  /// - Throws: ``ClientError/responseCodeUnknown``, ``ClientError/alertEnded(person:)``, or
  ///   ``ClientError/tooManyCodes(until:)`` for an unknown code after too many others
  ///   (AUTH-3); a right one is always accepted.
  @Endpoint("ResponseClient.respond")
  public var respond: @Sendable (_ code: String) async throws(ClientError) -> Response

  /// Does what ``respond`` does, by the link in a message: the answer is shown to the person who
  /// opened it. A code that is typed while only the person of a silent alert is signed in is
  /// answered as if there were no silent alert (ALT-9).
  @Endpoint("ResponseClient.respondByLink")
  public var respondByLink: @Sendable (_ code: String) async throws(ClientError) -> Response

  /// Returns what a code is for. It changes nothing and doesn't count wrong codes: programs that
  /// scan a message's links call this (PAGE-1).
  /// - Throws: ``ClientError/responseCodeUnknown``, or ``ClientError/alertEnded(person:)``.
  @Endpoint("ResponseClient.invitation")
  public var invitation: @Sendable (_ code: String) async throws(ClientError) -> ResponseInvitation

  /// Withdraws the response of a code's recipient from every alert that is on for that person;
  /// those who were notified of it are notified (PAGE-1). Does nothing if they are not responding.
  ///
  /// A code typed in a program is answered as by ``respond``, one from a link as by ``respondByLink``
  /// (ALT-9).
  /// - Throws: The errors of ``respond``.
  @Endpoint("ResponseClient.withdraw")
  public var withdraw: @Sendable (_ code: String, _ isTyped: Bool) async throws(ClientError) -> Void

  /// Returns what the code of a reminder can do; anyone who has it can ask, and nothing changes
  /// (CHK-8).
  /// - Throws: ``ClientError/responseCodeUnknown``, also for a code that no longer does anything.
  @Endpoint("ResponseClient.checkInLink")
  public var checkInLink: @Sendable (_ code: String) async throws(ClientError) -> LinkCheckIn

  /// Checks in the person who was sent the code, if its state allows it; like any other check-in it
  /// needs the passphrase if there is a gate (CHK-8). A code that has been used has no further
  /// effect.
  /// - Throws: The errors of ``checkInLink``, and ``ClientError/gate(_:)``.
  @Endpoint("ResponseClient.checkIn", gate: .checkIn)
  public var checkIn: @Sendable (_ code: String) async throws(ClientError) -> LinkCheckIn

  public init() {}

  /// Withdraws the response of a code's recipient, by a link.
  public func withdraw(_ code: String) async throws(ClientError) { try await withdraw(code, false) }
}

extension DependencyValues {
  public var responseClient: ResponseClient {
    get { self[ResponseClient.self] }
    set { self[ResponseClient.self] = newValue }
  }
}
