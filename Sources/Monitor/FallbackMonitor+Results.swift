import Clients
import Domain
import FoundationEssentials
import Synchronization

extension FallbackMonitor {
  // MARK: Results

  /// - Parameter mail: The way that mail takes.
  func begin(_ message: ClaimedDelivery, mail: MailRoute?) {
    contents.withLock { contents in
      contents.update(message) { known in
        known.state = .onItsWay(token: message.token)
        known.mail = mail
        known.attempts += 1
        // The retry limit counts from when the message was first planned (CHN-2).
        known.plannedAt = message.plannedAt
      }
    }
  }

  /// Takes the outcome of a message that was begun here.
  /// - Parameter retryAt: When it is tried again, or `nil` for never.
  /// - Returns: Whether the message was begun here.
  func take(
    _ outcome: DeliveryOutcome, of message: ClaimedDelivery, retryAt: Date?, now: Date
  ) -> Bool {
    contents.withLock { contents in
      guard var known = contents.accounts[message.user.id]?.messages[message.id],
        known.state == .onItsWay(token: message.token)
      else { return false }
      pauses.note(outcome, of: message, known.mail, at: now)
      switch outcome {
      case .sent: known.state = .sent(at: now)
      case .retry, .limited, .permanent, .ambiguous, .misconfigured, .accessRefused:
        known.state = retryAt == nil ? .failed(at: now) : .waiting
        known.notBefore = retryAt ?? now
        known.earlier = known.earlier.adding(outcome)
        if case .ambiguous = outcome { known.mayHaveBeenAccepted = true }
      }
      // The store plans unsent messages again by itself, and decides when to give up.
      guard contents.isActive || contents.isDamaged || !known.hasNothingToRecord else {
        contents.forget(message)
        return true
      }
      contents.accounts[message.user.id]?.messages[message.id] = known
      return true
    }
  }

  /// Returns the outcome to use for a message that was claimed from the store, if this process has
  /// already sent it or is sending it.
  func outcome(of message: ClaimedDelivery) -> DeliveryOutcome? {
    switch contents.withLock({ $0.accounts[message.user.id]?.messages[message.id]?.state }) {
    case .sent: .sent
    case .onItsWay(let token) where token != message.token:
      .retry(reason: "it is on its way already", after: nil)
    case .onItsWay, .waiting, .failed, nil: nil
    }
  }

  /// Remembers a message that was claimed from the store and sent, but could not be recorded. Other
  /// outcomes need not be remembered: the store knows that the claim ended without a result.
  func remember(_ outcome: DeliveryOutcome, of message: ClaimedDelivery, at now: Date) {
    guard outcome == .sent else { return }
    contents.withLock { contents in
      var account = contents.accounts[message.user.id] ?? RememberedAccount()
      // The store counted the attempt when the message was claimed.
      account.messages[message.id] = RememberedMessage(
        id: message.id, plannedAt: message.plannedAt, state: .sent(at: now), notBefore: now)
      contents.accounts[message.user.id] = account
    }
  }

  /// Returns whether the store has yet to learn about a message.
  func isHolding(_ message: ClaimedDelivery) -> Bool {
    contents.withLock { $0.accounts[message.user.id]?.messages[message.id] != nil }
  }

  /// Forgets a message that was sent, now that the store has recorded it.
  func recorded(_ outcome: DeliveryOutcome, of message: ClaimedDelivery, at now: Date) {
    contents.withLock { contents in
      if outcome == .sent { contents.known.noteSent(message, at: now) }
      if case .sent = contents.accounts[message.user.id]?.messages[message.id]?.state {
        contents.forget(message)
      }
    }
  }

  // MARK: Catching up the store

  /// Tells the store everything it missed.
  /// - Returns: `false` if the store still refuses.
  func syncStore() async -> Bool {
    let memories = contents.withLock { contents in
      contents.hasJustSynced = false
      return contents.accounts.map { $1.memory(of: $0) }.filter { !$0.isEmpty }
    }
    guard !memories.isEmpty else { return true }
    for memory in memories {
      do {
        try await client.adopt(memory)
      } catch {
        guard !error.isRefusal else { return false }
        log.error(
          "account \(memory.account.short): sent from memory, not recorded: \(error.text.code)")
      }
      drop(memory)
    }
    contents.withLock { $0.hasJustSynced = true }
    return true
  }

  /// Forgets what the store now knows.
  private func drop(_ memory: AccountMemory) {
    contents.withLock { contents in
      guard var account = contents.accounts[memory.account] else { return }
      contents.known.noteAdopted(account, of: memory.account)
      account.alerts.removeAll { alert in memory.alerts.contains { $0.id == alert.id } }
      if account.grace == memory.grace { account.grace = nil }
      if account.outing == memory.outing { account.outing = nil }
      for message in memory.messages {
        switch account.messages[message.id]?.state {
        case .onItsWay,
          .sent where message.sentAt == nil:
          // Its outcome came, or will come, after what the store was given.
          account.messages[message.id]?.attempts -= message.attempts
          account.messages[message.id]?.mayHaveBeenAccepted = false
        case .waiting, .sent, .failed:
          account.messages[message.id] = nil
        case nil: break
        }
      }
      contents.accounts[memory.account] = account == RememberedAccount() ? nil : account
    }
  }
}
