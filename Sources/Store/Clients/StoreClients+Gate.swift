import Clients
import Cryptography
import Domain
import FoundationEssentials

/// The gate in front of operations that postpone or weaken help (CHK-3).
extension StoreClients {
  /// Passes the gate for an operation that weakens help. Without a gate, the operation waits after
  /// a reset of the password (AUTH-5).
  /// - Parameter weakens: Whether the operation weakens help, asked before anything else; `nil` if
  ///   it always does.
  @discardableResult
  func pass(
    _ operation: GatedOperation,
    if weakens: (@Sendable (isolated Store, Int) throws -> Bool)? = nil
  ) async throws(ClientError) -> GatePass {
    if let weakens, try await !store.isNeeded(weakens) { return .open }
    if !operation.isSignOfLife, let end = try await store.waitEnd(of: operation) {
      throw .gate(.afterReset(until: end))
    }
    // Also late, a duress passphrase raises the silent alert.
    let pass = try await passGate(operation)
    if !operation.isSignOfLife, session.made != nil { try await store.refuseLateRequest() }
    return pass
  }

  /// Returns what the passphrase opens that was typed for an operation. As many hashes are computed with and without a duress
  /// passphrase, so that the time reveals nothing. After a change of the gate under duress, the
  /// passphrase that seems to open it acts as the duress passphrase.
  /// - Parameter account: The account whose gate it is, for a person who has a link; `nil` for the
  ///   signed-in one.
  /// - Returns: What it opens. Under duress the silent alert is on from now (CHK-3), whatever the
  ///   outcome of the request.
  @discardableResult
  func passGate(
    _ operation: GatedOperation, of account: Int? = nil
  ) async throws(ClientError) -> GatePass {
    let passphrase = TypedSecrets.passphrase(for: operation)
    // For a remote request, the account's gate was looked up with the session.
    if account == nil, session.request?.hasNoGate == true { return .open }
    guard let onFile = try await store.gateOnFile(of: account) else { return .open }
    if passphrase == nil, onFile.seemsOpen {
      try await store.passUnderDuress(onFile.account)
      return .duress
    }
    guard let passphrase else { throw .gate(.required) }
    let owner = "\(onFile.account)"
    let hashing = hashing.waiting(at: account == nil ? .person(owner) : .stranger("link " + owner))
    let (opens, isDuress) = try await hashing.matches(
      passphrase, onFile.gate, or: onFile.seemsOpen ? nil : onFile.seeming ?? onFile.duress)
    let pass: GatePass? = opens ? .open : isDuress || onFile.seemsOpen ? .duress : nil
    if !onFile.seemsOpen {
      try await store.judgeGate(pass, of: onFile)
    } else if !opens {
      // Where there seems to be no gate, no passphrase is wrong and nothing locks.
      try await store.passUnderDuress(onFile.account)
    }
    return opens ? .open : .duress
  }

  func updateGate(_ new: Gate?) async throws(ClientError) {
    let checked = try ClientError.checking { () throws(ValidationError) in try new?.checked() }
    let account = try await store.ownPassword().account
    let before = try await store.gateOnFile()
    // A change keeps the cost of the gate before it, so that one under duress takes as long as a true
    // one, and so does each try after it. Where there seems to be no gate, that is today's cost.
    let isNew = before.map { $0.seemsOpen && PasswordHashing.isOutdated($0.gate) } ?? true
    let sample = isNew ? nil : before?.gate
    let hashing = hashing.waiting(at: .person("\(account)")).costing(as: sample)
    guard try await pass(.changeGate) == .open else {
      let seeming = try await hashing.hashes(of: checked, like: sample)
      return try await store.pretendToSetGate(seeming?.gate, of: account)
    }
    let hashes = try await hashing.hashes(of: checked, like: nil)
    try await store.setGate(hashes?.gate, duress: hashes?.duress, of: account)
  }

  /// Checks in by the link in a message, behind the gate of the link's account.
  func checkIn(byLink typed: String) async throws(ClientError) -> LinkCheckIn {
    guard let (account, isGated, isMissed) = try await store.usable(typed) else {
      return try await store.checkInLink(typed)
    }
    // Without the passphrase it ends nothing, and needs no gate.
    let isPassedOn = isGated && isMissed && TypedSecrets.passphrase(for: .checkIn) == nil
    if !isPassedOn { try await passGate(.checkIn, of: account) }
    // What the link does is decided again now: the person may have been faster.
    return try await store.use(typed, hasPassedGate: isGated && !isPassedOn)
  }
}

extension PasswordHashing {
  /// Hashes both passphrases of a gate with the same salt, so that one computation tells which of
  /// them was typed.
  /// - Parameter sample: A hash whose salt is used, or `nil` for a new one.
  fileprivate func hashes(
    of gate: Gate?, like sample: String?
  ) async throws(ClientError) -> (gate: String, duress: String?)? {
    guard let gate else { return nil }
    let first = try await hash(gate.passphrase, like: sample)
    guard let duress = gate.duress else { return (first, nil) }
    return (first, try await hash(duress, like: first))
  }
}
