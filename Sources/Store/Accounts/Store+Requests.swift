package import Clients
import Cryptography
package import Domain
package import FoundationEssentials
import Synchronization

/// A write that was requested under a key. Its operation records the key in the same transaction,
/// so that it happens once, however often it is requested.
package final class KeyedRequest: Sendable {
  /// The caller's account, or 0 if nobody is signed in.
  let account: Int
  let id: UUID
  let digest: String
  let lasts: Bool
  /// Whether the caller had no gate when the request came.
  let hasNoGate: Bool
  /// Makes the answer from an operation's value; returns `nil` for a value that isn't the last one.
  let answer: @Sendable (Any) -> String?
  /// Whether a transaction of the operation was committed.
  let isBegun = Atomic(false)
  /// The answer that is stored in the request's row; `nil` if there is none yet.
  let kept = Mutex<String?>(nil)

  package init(
    _ admission: Store.Admission, id: UUID, digest: String, lasts: Bool,
    answer: @escaping @Sendable (Any) -> String?
  ) {
    account = admission.account ?? 0
    hasNoGate = admission.hasNoGate
    self.id = id
    self.digest = digest
    self.lasts = lasts
    self.answer = answer
  }
}

extension Store {
  /// A request's caller, and the outcome of an earlier request, as found before anything is done.
  package struct Admission: Equatable, Sendable {
    /// The result of an earlier request under the same key.
    package enum Earlier: Equatable, Sendable {
      case answered(String)
      /// It was begun, and nobody knows how far it came.
      case begun
      /// It was for something else.
      case different

      fileprivate init(_ isSame: Bool, _ answer: String?) {
        self = !isSame ? .different : answer.map(Self.answered) ?? .begun
      }
    }

    /// The key of the caller's account; `nil` if nobody is signed in.
    package var account: Int?
    /// Whether operations that weaken help need no passphrase (CHK-3).
    package var hasNoGate = false
    /// The caller's identity, and whether they have a gate as far as they can see.
    package var user: User.ID?
    package var showsGate = false
    /// Whether the caller's account is disabled.
    package var isDisabled = false
    package var earlier: Earlier?
  }

  /// Finds the caller, and an earlier request under the same key. This also extends the session.
  ///
  /// It takes one statement, because every request begins with it.
  package func admit(_ id: UUID?, digest: String) throws(ClientError) -> Admission {
    let (admission, isOld) = try ask {
      guard let token = try currentDigest() else {
        return (Admission(earlier: try id.flatMap { id in try earlier(0, id, digest) }), false)
      }
      let found = try database.row(
        """
        SELECT session.account, session.last_used_at, session.expires_at,
          account.disabled_at IS NOT NULL, account.gate IS NULL, account.id,
          coalesce(account.seeming_gate, account.gate, '') <> '', request.digest, request.answer
        FROM session JOIN account ON account.key = session.account
          LEFT JOIN request ON request.account = session.account AND request.id = ?2
        WHERE session.token = ?1
        """, token, id
      ) { row throws(StorageError) -> (Admission, isOld: Bool)? in
        let account: Int = try row.read()
        let (last, end): (Date, Date) = (try row.read(), try row.read())
        let now = now().stored
        let isDisabled: Bool = try row.read()
        guard end > now else { return isDisabled ? (Admission(isDisabled: true), false) : nil }
        let isOld = last < now - .minutes(1)
        let hasNoGate: Bool = try row.read()
        let (user, showsGate): (UUID, Bool) = (try row.read(), try row.read())
        let (earlier, answer): (String?, String?) = (try row.read(), try row.read())
        return (
          Admission(
            account: account, hasNoGate: hasNoGate, user: user, showsGate: showsGate,
            earlier: earlier.map { Admission.Earlier($0 == digest, answer) }), isOld
        )
      }
      if let found, let found { return found }
      return (Admission(earlier: try id.flatMap { id in try earlier(0, id, digest) }), false)
    }
    if isOld { try useSession() }
    return admission
  }

  private func earlier(_ account: Int, _ id: UUID, _ digest: String) throws(StorageError)
    -> Admission.Earlier?
  {
    try database.row(
      "SELECT digest, answer FROM request WHERE account = ?1 AND id = ?2", account, id
    ) { row throws(StorageError) -> Admission.Earlier in
      let (earlier, answer): (String, String?) = (try row.read(), try row.read())
      return Admission.Earlier(earlier == digest, answer)
    }
  }

  /// Records a request within a transaction of its operation, with the answer if the value makes
  /// one.
  /// - Returns: The answer.
  func note(_ request: KeyedRequest, _ value: Any) throws -> String? {
    let answer = request.answer(value)
    if request.isBegun.load(ordering: .relaxed) {
      if let answer { try setAnswer(answer, to: request) }
      return answer
    }
    // If there is a row already, this or the commit fails.
    try database.run(
      "INSERT INTO request (account, id, digest, at, lasts, answer) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      request.account, request.id, request.digest, now(), request.lasts, answer)
    return answer
  }

  /// Returns ``ClientError/requestRepeated`` if a transaction that recorded a request failed
  /// because another one under the same key came first; otherwise the error.
  func failure(_ error: any Error, noting request: KeyedRequest) -> any Error {
    guard case StorageError.serialization = error, !request.isBegun.load(ordering: .relaxed),
      (try? isNoted(request)) == true
    else { return error }
    return ClientError.requestRepeated
  }

  private func isNoted(_ request: KeyedRequest) throws(StorageError) -> Bool {
    try database.value(
      Int.self, "SELECT 1 FROM request WHERE account = ?1 AND id = ?2", request.account, request.id)
      != nil
  }

  private func setAnswer(_ answer: String, to request: KeyedRequest) throws(StorageError) {
    try database.run(
      "UPDATE request SET answer = ?3 WHERE account = ?1 AND id = ?2", request.account, request.id,
      answer)
  }

  /// Records the result of a request that has written something: its answer, or `nil` if it was
  /// refused and can be repeated.
  package nonisolated func finish(
    _ request: KeyedRequest, _ answer: String?
  ) async throws(ClientError) {
    guard request.isBegun.load(ordering: .relaxed) else { return }
    // It was stored together with the operation's changes, which saves a second write to the disk.
    if let answer, answer == request.kept.withLock({ $0 }) { return }
    try await note(request, answer: answer)
  }

  private func note(_ request: KeyedRequest, answer: String?) throws(ClientError) {
    // Directly on the lane, because `write` would record the request again.
    do {
      try lane.write(.serializable, .other) {
        if let answer { return try setAnswer(answer, to: request) }
        try database.run(
          "DELETE FROM request WHERE account = ?1 AND id = ?2 AND answer IS NULL", request.account,
          request.id)
      }
    } catch {
      throw .wrapping(error)
    }
  }

  /// Forgets requests after a week: of those that last, only the answers.
  package func pruneRequests() throws(ClientError) {
    let limit = now() - .days(7)
    try write(.other) {
      try database.run("DELETE FROM request WHERE at < ?1 AND lasts = 0", limit)
      try database.run(
        "UPDATE request SET answer = NULL WHERE at < ?1 AND answer IS NOT NULL", limit)
      return ()
    }
  }
}
