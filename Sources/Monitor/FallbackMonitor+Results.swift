import Clients
import Domain
import FoundationEssentials
import Synchronization

extension FallbackMonitor {
  // MARK: The result of a message

  func begin(_ message: ClaimedDelivery) {
    contents.withLock { contents in
      contents.update(message) { known in
        known.state = .onItsWay(token: message.token)
        known.attempts += 1
        // When it is given up counts from when it was first planned (CHN-2).
        known.plannedAt = message.plannedAt
      }
    }
  }

  /// Takes the outcome of a message that was begun here.
  /// - Parameter retryAt: when it is to be tried again, or `nil` for never.
  /// - Returns: whether it was.
  func take(
    _ outcome: DeliveryOutcome, of message: ClaimedDelivery, retryAt: Date?, now: Date
  ) -> Bool {
    contents.withLock { contents in
      guard var known = contents.accounts[message.user.id]?.messages[message.id],
        known.state == .onItsWay(token: message.token)
      else { return false }
      switch outcome {
      case .sent: known.state = .sent(at: now)
      case .permanent: known.state = .failed(at: now)
      case .retry, .ambiguous, .misconfigured:
        known.state = retryAt == nil ? .failed(at: now) : .waiting
        known.notBefore = retryAt ?? now
        if case .ambiguous = outcome { known.isDoubtful = true }
      }
      // The store plans again by itself what came to nothing, and says when it is over.
      guard contents.isActive || !known.isMereIntention else {
        contents.forget(message)
        return true
      }
      contents.accounts[message.user.id]?.messages[message.id] = known
      return true
    }
  }

  /// What is known here of a message that was claimed from the store: it was sent, or is on its way.
  func outcome(of message: ClaimedDelivery) -> DeliveryOutcome? {
    switch contents.withLock({ $0.accounts[message.user.id]?.messages[message.id]?.state }) {
    case .sent: .sent
    case .onItsWay(let token) where token != message.token:
      .retry(reason: "it is on its way already", after: nil)
    case .onItsWay, .waiting, .failed, nil: nil
    }
  }

  /// Remembers a message that was claimed from the store, sent, and could not be recorded. Other
  /// outcomes need no memory: the store knows that the claim came to no known end.
  func remember(_ outcome: DeliveryOutcome, of message: ClaimedDelivery, at now: Date) {
    guard outcome == .sent else { return }
    contents.withLock { contents in
      var account = contents.accounts[message.user.id] ?? RememberedAccount()
      // The claim has counted the attempt.
      account.messages[message.id] = RememberedMessage(
        id: message.id, plannedAt: message.plannedAt, state: .sent(at: now), notBefore: now)
      contents.accounts[message.user.id] = account
    }
  }

  /// Whether a message is still to be made known to the store.
  func isHolding(_ message: ClaimedDelivery) -> Bool {
    contents.withLock { $0.accounts[message.user.id]?.messages[message.id] != nil }
  }

  /// The store has heard of it.
  func recorded(_ message: ClaimedDelivery) {
    contents.withLock { contents in
      if case .sent = contents.accounts[message.user.id]?.messages[message.id]?.state {
        contents.forget(message)
      }
    }
  }

  // MARK: The store again

  /// Tells the store all that it missed.
  /// - Returns: `false` when it still refuses.
  func settle() async -> Bool {
    let memories = contents.withLock { contents in
      contents.toldNow = false
      return contents.accounts.map { $1.memory(of: $0) }.filter { !$0.isEmpty }
    }
    guard !memories.isEmpty else { return true }
    for memory in memories {
      do {
        try await client.adopt(memory)
      } catch {
        guard !error.isRefusal else { return false }
        log.error("account \(memory.account.short) could not be caught up: \(error.text.code)")
      }
      drop(memory)
    }
    contents.withLock { $0.toldNow = true }
    return true
  }

  /// Forgets what the store has heard of.
  private func drop(_ memory: AccountMemory) {
    contents.withLock { contents in
      guard var account = contents.accounts[memory.account] else { return }
      account.alerts.removeAll { alert in memory.alerts.contains { $0.id == alert.id } }
      if account.grace == memory.grace { account.grace = nil }
      for message in memory.messages {
        switch account.messages[message.id]?.state {
        case .onItsWay,
          .sent where message.sentAt == nil:
          // It has an end, or will have one, that the store has yet to hear of.
          account.messages[message.id]?.attempts -= message.attempts
          account.messages[message.id]?.isDoubtful = false
        case .waiting, .sent, .failed:
          account.messages[message.id] = nil
        case nil: break
        }
      }
      contents.accounts[memory.account] = account == RememberedAccount() ? nil : account
    }
  }
}
