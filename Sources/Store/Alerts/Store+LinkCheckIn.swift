import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Checking in by a link in a message (CHK-8). Anyone who reads the message has the code, so a link
/// alone never ends a call for help, and never stands in for the person for long.
extension Store {
  func allowLinkCheckIn(_ isAllowed: Bool) throws(ClientError) -> User {
    try writeHere { key in
      try database.run("UPDATE account SET takes_links = ?2 WHERE key = ?1", key, isAllowed)
      if !isAllowed { try database.run("DELETE FROM check_in_code WHERE account = ?1", key) }
      try touch(key)
      return try user(key)
    }
  }

  // MARK: Making codes

  /// Makes a code for a message that asks its person to check in; returns `nil` if the message
  /// carries none. Each attempt gets another code, because only digests are stored.
  func makeCheckInCode(
    for delivery: ClaimedDelivery, account: Int
  ) throws(StorageError) -> Secret<String>? {
    let (user, channel) = (
      delivery.user, Channel(id: delivery.id, kind: delivery.channel, address: delivery.address)
    )
    guard delivery.stage.asksForCheckIn, delivery.recipient == .owner,
      user.locks.contains(.linkCheckIn),
      channel.carriesCheckInLink(hasToken: delivery.secret != nil)
    else { return nil }
    // A mistyped address may be somebody else's.
    let isUnconfirmed =
      user.locks.contains(.unconfirmedAddress)
      && channel.hasSameAddress(
        as: Channel(id: user.id, kind: .email, address: user.profile.email ?? ""))
    guard !isUnconfirmed else { return nil }
    // A link that could not check in.
    if !user.locks.contains(.gate), try isLinkBudgetSpent(user, account) { return nil }
    let code = ResponseCode.make(from: SecureRandom.bytes(ResponseCode.length))
    try database.run(
      """
      INSERT INTO check_in_code (digest, account, sequence, channel, address)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """, SecureToken(text: code).digest, account, user.checkInSequence, delivery.channel,
      delivery.address)
    return Secret(ResponseCode.displayText(code))
  }

  // MARK: Using codes

  private struct FoundLink {
    var digest: String
    var account: Int
    var channel: Channel.Kind
    var address: String
    var invitation: LinkCheckIn
  }

  func checkInLink(_ typed: String) throws(ClientError) -> LinkCheckIn {
    try read { try link(typed).invitation }
  }

  /// Returns the account of a code and what using it takes; `nil` for a code that has no effect
  /// now.
  func usable(_ typed: String) throws(ClientError) -> (account: Int, isGated: Bool, isMissed: Bool)?
  {
    try read {
      let found = try link(typed)
      let isMissed = found.invitation.missed != nil
      switch found.invitation.state {
      case .ready, .endsNothing: return (found.account, false, isMissed)
      case .needsPassphrase: return (found.account, true, isMissed)
      case .passedOn, .limitReached, .checkedIn, .usedUp: return nil
      }
    }
  }

  func use(_ typed: String, hasPassedGate: Bool) throws(ClientError) -> LinkCheckIn {
    try write {
      let found = try link(typed)
      let key = found.account
      switch found.invitation.state {
      case .passedOn, .limitReached, .checkedIn, .usedUp: return found.invitation
      case .needsPassphrase where !hasPassedGate:
        guard let missed = found.invitation.missed else { throw ClientError.gate(.required) }
        if missed.passedOnAt == nil { try passOn(found) }
      case .ready, .needsPassphrase:
        let user = try moveDeadline(of: key, .link)
        try database.run(
          """
          INSERT INTO check_in_code (digest, account, sequence, channel, address, used_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          -- An early one leaves the codes of its deadline.
          ON CONFLICT (digest) DO UPDATE SET used_at = ?6
          """, found.digest, key, user.checkInSequence, found.channel, found.address,
          user.schedule?.isEarly == true ? nil : user.lastCheckIn)
      case .endsNothing: try passOn(found)
      }
      return try link(typed).invitation
    }
  }

  /// Notifies the responders, once per alert, that a link was pressed which doesn't end it.
  private func passOn(_ found: FoundLink) throws(StorageError) {
    let key = found.account
    try database.run(
      "UPDATE check_in_code SET used_at = ?2 WHERE digest = ?1", found.digest, now())
    let alert = try database.value(
      UUID.self,
      "SELECT id FROM alert WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL", key)
    guard let alert else { return }
    let detail = found.channel == .email ? "a mail" : "a message"
    try insert(.linkPressed, toRespondersOf: key, about: .alert(alert), detail)
    // Responders with an account in this store see the silent alert instead.
    if try !isUnderDuress(key) {
      try notifyResponders(of: key, .info, detail: ResponderNotice.linkPressed)
    }
    try requestAttention(for: key)
  }

  /// Returns what a code can do now.
  /// - Throws: ``ClientError/responseCodeUnknown`` for a code that can do nothing, whatever it was.
  private func link(_ typed: String) throws -> FoundLink {
    let digest = SecureToken(text: ResponseCode.normalized(typed)).digest
    let found = try database.row(
      "SELECT account, sequence, channel, address, used_at FROM check_in_code WHERE digest = ?1",
      digest
    ) { row throws(StorageError) in
      (
        key: try row.read(Int.self), sequence: try row.read(Int.self),
        channel: try row.read(Channel.Kind.self), address: try row.read(String.self),
        usedAt: try row.read(Date?.self)
      )
    }
    guard let found else { throw ClientError.responseCodeUnknown }
    let user = try user(found.key)
    let end = user.deadline.graceEnd + EscalationRules.repeatsEnd
    let own = try user.ownChannels(besides: ownChannels(of: found.key))
    guard user.locks.contains(.linkCheckIn), user.deletedAt == nil,
      found.sequence == user.checkInSequence, now() < end,
      own.contains(where: { $0.kind == found.channel && $0.address == found.address })
    else { throw ClientError.responseCodeUnknown }
    let missed = try missed(by: found.key)
    let hasCheckedIn = found.usedAt == user.lastCheckIn
    return FoundLink(
      digest: digest, account: found.key, channel: found.channel, address: found.address,
      invitation: LinkCheckIn(
        person: user.profile.name, deadline: user.deadline.date,
        state: try state(ofLinkUsedAt: found.usedAt, of: found.key, user, since: missed?.raisedAt),
        isAlertOn: try activeManualAlert(of: found.key) != nil,
        missed: missed.map {
          LinkCheckIn.Missed(sentAt: $0.sentAt, passedOnAt: hasCheckedIn ? nil : found.usedAt)
        }))
  }

  /// Returns when the missed alert that is on was raised, and when the first message about it was
  /// sent.
  private func missed(
    by key: Int
  ) throws(StorageError) -> (raisedAt: Date, sentAt: Date?)? {
    try database.row(
      """
      SELECT raised_at, (
        SELECT min(finished_at) FROM delivery
        WHERE delivery.alert = alert.key AND state = 'sent' AND stage GLOB 'non_responsive*')
      FROM alert WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL
      """, key
    ) { row throws(StorageError) in (try row.read(), try row.read()) }
  }

  /// - Parameter missed: When the missed alert that is on was raised.
  private func state(
    ofLinkUsedAt usedAt: Date?, of key: Int, _ user: User, since missed: Date?
  ) throws(StorageError) -> LinkCheckIn.State {
    if let usedAt, usedAt == user.lastCheckIn {
      return missed == nil && now() < user.deadline.date ? .checkedIn(usedAt) : .usedUp(usedAt)
    }
    if user.locks.contains(.gate) { return .needsPassphrase }
    if let usedAt { return .passedOn(usedAt) }
    if let missed { return .endsNothing(since: missed) }
    return try isLinkBudgetSpent(user, key) ? .limitReached : .ready
  }
}
