public import Composable
public import Domain

/// The answers of those who were sent a message: by the code in it, without an account.
public struct ResponseClient: ClientInterface {
  /// Takes the code of a message, in any case and spacing: the one from a call says that its
  /// recipient is responding to the alert, and to every other that is on for the same person (ESC-2);
  /// the one from the word that somebody was named says that they want to be no contact (CON-3).
  ///
  /// Anyone who has the message can answer it, without signing in and without the gate. A
  /// code that is given twice counts once.
  /// - Throws: ``ClientError/responseCodeUnknown``, ``ClientError/alertEnded(person:)``, or
  ///   ``ClientError/tooManyCodes(until:)`` for an unknown code after too many others
  ///   (AUTH-3); a right one always counts.
  @Endpoint("ResponseClient.respond")
  public var respond: @Sendable (_ code: String) async throws(ClientError) -> Response

  /// What ``respond`` does, by a link of the message: the answer is shown to the one who opened it. What is
  /// typed where nobody but the person of a silent alert is signed in is answered as if there were none
  /// (ALT-9).
  @Endpoint("ResponseClient.press")
  public var press: @Sendable (_ code: String) async throws(ClientError) -> Response

  /// What a code is for. It changes nothing, and counts no wrong codes: programs that look at a message's
  /// links ask this (PAGE-1).
  /// - Throws: ``ClientError/responseCodeUnknown``, or ``ClientError/alertEnded(person:)``.
  @Endpoint("ResponseClient.look")
  public var look: @Sendable (_ code: String) async throws(ClientError) -> ResponseInvitation

  /// Takes back that a code's recipient is responding, to every alert that is on for that person; those
  /// who were notified of it are notified (PAGE-1). If they are not responding, it changes nothing.
  ///
  /// Typed in a program, it is answered as ``respond`` answers, by a link as ``press`` does (ALT-9).
  /// - Throws: What ``respond`` throws.
  @Endpoint("ResponseClient.withdraw")
  public var withdraw: @Sendable (_ code: String, _ isTyped: Bool) async throws(ClientError) -> Void

  /// What the code of a reminder is good for; anyone who has it can ask, and nothing changes (CHK-8).
  /// - Throws: ``ClientError/responseCodeUnknown`` for one that is good for nothing any more, too.
  @Endpoint("ResponseClient.lookCheckIn")
  public var lookCheckIn: @Sendable (_ code: String) async throws(ClientError) -> LinkCheckIn

  /// Checks in the person who was sent the code, as far as its state allows it: under the gate where there
  /// is one, like any other check-in (CHK-8). A code that has done its work does nothing more.
  /// - Throws: What ``lookCheckIn`` throws, and ``ClientError/gate(_:)``.
  @Endpoint("ResponseClient.checkIn")
  public var checkIn:
    @Sendable (_ code: String, _ passphrase: Secret<String>?) async throws(ClientError) ->
      LinkCheckIn

  public init() {}

  /// Takes back by a link that its recipient is responding.
  public func withdraw(_ code: String) async throws(ClientError) { try await withdraw(code, false) }
}

extension DependencyValues {
  public var responseClient: ResponseClient {
    get { self[ResponseClient.self] }
    set { self[ResponseClient.self] = newValue }
  }
}
