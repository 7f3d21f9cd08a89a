import Clients
import Domain
import FoundationEssentials

/// Outings: promises to be back, beside the regular one (OUT-1 … OUT-5).
extension Store {
  func startOuting(_ draft: OutingDraft) throws(ClientError) -> User {
    try writeHere { key in
      let (before, now) = (try user(key), now().stored)
      if let outing = before.outing { throw ClientError.alreadyOut(until: outing.until) }
      try requireNotOverdue(before, key)
      if try isAlertShown(of: key) || unstoppedAlert(of: key) != nil {
        throw ClientError.outingDuringAlert
      }
      var outing = try draft.outing(makeUUID(), at: now)
      let responders = try responders(of: key)
      for id in outing.responders where !responders.contains(where: { $0.id == id }) {
        throw ClientError.contactNotFound
      }
      let deadline = before.deadline.date
      outing.holdsDeadline = outing.holdsDeadline && deadline < outing.until
      try setOuting(outing, of: key)
      if outing.holdsDeadline {
        try endSequence(of: key)
        try noticeResponders(
          of: key, ResponderNotice.heldDeadline(deadline, until: outing.until))
      }
      if outing.isAnnounced { try reassure(outing, of: key, ResponderNotice.out(outing.until)) }
      return try noteOuting(of: key)
    }
  }

  /// Whether an outing would let the deadline wait.
  func holdsDeadline(_ draft: OutingDraft, of key: Int) throws -> Bool {
    guard draft.holdsDeadline else { return false }
    return try user(key).deadline.date < draft.proposed(at: now().stored).until
  }

  func extendOuting(_ change: OutingExtension) throws(ClientError) -> User {
    try writeHere { key in
      let before = try user(key)
      // *Back* beats an extension.
      guard let outing = before.outing, outing.id == change.outing else {
        throw ClientError.notOut
      }
      guard outing.until == change.seen else { throw ClientError.outingChanged(outing.until) }
      let isRaised = try database.value(
        Int.self,
        """
        SELECT 1 FROM alert WHERE account = ?1 AND resolved_at IS NULL
          AND (id = ?2 OR kind = 'missed' AND ?3 = 1) LIMIT 1
        """, key, outing.id, outing.holdsDeadline)
      guard isRaised == nil else { throw ClientError.outingMissed }
      let extended = try outing.extended(by: change.span, at: now().stored)
      try setOuting(extended, of: key)
      if outing.holdsDeadline {
        try endSequence(of: key)
        try noticeResponders(
          of: key, ResponderNotice.heldDeadline(before.deadline.promised, until: extended.until))
      }
      if outing.isAnnounced {
        try reassure(extended, of: key, ResponderNotice.longer(extended.until))
      }
      return try noteOuting(of: key)
    }
  }

  /// Ends an outing and its alert, whenever it is received (OUT-5), and checks in. Another outing
  /// goes on: then it is only a check-in.
  func endOuting(
    _ id: Outing.ID, since start: ContinuousClock.Instant
  ) throws(ClientError) -> User {
    try write { key in
      let outing = try user(key).outing.flatMap { $0.id == id ? $0 : nil }
      let wasRaised = try outing.map { try end($0, of: key) } ?? false
      let isSaid = outing.map { $0.isAnnounced || $0.holdsDeadline } ?? false
      if !session.isRemote || session.made?.earliest(now: now()) != nil {
        // Of an outing that others know of, only *is back* is sent.
        _ = try moveDeadline(of: key, .outing, since: start, sendsNews: !wasRaised && !isSaid)
      }
      if let outing, isSaid, !wasRaised { try reassure(outing, of: key, ResponderNotice.back) }
      let (user, now) = (try user(key), now().stored)
      // The deadline that waited returns. Received late it may have passed, without a reminder.
      guard outing?.holdsDeadline == true, user.deadline.date <= now, user.graceFrom == nil else {
        return user
      }
      try database.run(
        "UPDATE account SET grace_sequence = check_in_sequence, grace_from = ?2 WHERE key = ?1",
        key, now)
      return try self.user(key)
    }
  }

  /// - Returns: Whether its alert was on, so that responders are sent its end.
  private func end(_ outing: Outing, of key: Int) throws -> Bool {
    let isUnderDuress = try isUnderDuress(key)
    try setOuting(nil, of: key)
    // What was sent about the deadline that waited doesn't count for the one that returns.
    if outing.holdsDeadline { try endSequence(of: key) }
    if isUnderDuress {
      // The first says where they went; a coercer may demand another.
      try database.run(
        "UPDATE account SET hidden_outing = coalesce(hidden_outing, ?2) WHERE key = ?1", key, outing
      )
    }
    let wasRaised = try database.rowsChanged(
      by:
        "UPDATE alert SET resolved_at = ?3 WHERE account = ?1 AND id = ?2 AND resolved_at IS NULL",
      key, outing.id, now().stored)
    if wasRaised > 0 {
      try notify(key, .allClear)
      // Under duress, nobody else learns that all is well (CHK-3).
      if !isUnderDuress {
        try notifyResponders(
          of: key, .allClear, detail: ResponderNotice.back,
          among: try outingResponders(outing, of: key))
      }
    }
    _ = try noteOuting(of: key)
    return wasRaised > 0
  }

  private func noteOuting(of key: Int) throws -> User {
    try touch(key)
    try noteChange(forPeersOf: key)
    return try user(key)
  }

  func setOuting(_ outing: Outing?, of key: Int) throws(StorageError) {
    try database.run("UPDATE account SET outing = ?2 WHERE key = ?1", key, outing)
    if outing == nil {
      try database.run(
        "DELETE FROM notice WHERE account = ?1 AND sequence = \(Self.outingNotices)", key)
    }
  }

  /// Stands for the sequence of the notices about an outing, which no check-in ends.
  static let outingNotices = -1

  /// Stores what a plan changes of an outing, unless it has ended or was extended since.
  func change(planned outing: Outing, of key: Int) throws {
    guard let current = try user(key).outing, current.id == outing.id,
      current.until == outing.until
    else { return }
    try setOuting(outing, of: key)
    if current.responders != outing.responders {
      try notify(
        key, .info, about: "Everyone is notified if you aren't back",
        detail: "None of those you chose for your outing can be notified.")
    }
    try noteChange(ofCircleOf: key)
  }

  /// Notifies the responders of an outing that its person is well; all of them if the deadline
  /// waited for it.
  private func reassure(_ outing: Outing, of key: Int, _ detail: String) throws {
    let chosen =
      detail == ResponderNotice.back && outing.holdsDeadline
      ? try responders(of: key) : try outingResponders(outing, of: key)
    try reassure(chosen, of: key, detail)
  }

  /// Notifies responders that the person is well.
  func reassure(_ responders: [Contact], of key: Int, _ detail: String) throws(StorageError) {
    try cancelReassurances(of: key, "reassurance")
    // Another alert that is on says more (CHK-6).
    guard try !isAlertShown(of: key), try unstoppedAlert(of: key) == nil else { return }
    try insert(.reassurance(makeUUID()), to: responders, of: key, about: .account, detail)
    // Under duress, nobody else learns that all is well (CHK-3).
    if try !isUnderDuress(key) {
      try notifyResponders(of: key, .info, detail: detail, among: responders)
    }
  }

  /// Whether a responder is notified of the outing that is on.
  func isConcerned(_ responder: Contact.ID, byOutingOf key: Int) throws(StorageError) -> Bool {
    let outing = try database.optionalValue(
      Outing.self, "SELECT outing FROM account WHERE key = ?1", key)
    guard let outing else { return true }
    return try outingResponders(outing, of: key).contains { $0.id == responder }
  }

  func outingResponders(_ outing: Outing, of key: Int) throws(StorageError) -> [Contact] {
    outing.responders(among: try responders(of: key))
  }

  /// Tells the recipient of a message of the outing that is on, or of the one that only seems to have
  /// ended because a silent alert is on.
  func tellOfOuting(in message: inout ClaimedDelivery, of key: Int) throws(StorageError) {
    guard message.canTellOfOuting else { return }
    var outing = message.user.outing
    if message.alert?.kind == .duress {
      outing =
        try database.optionalValue(
          Outing.self, "SELECT hidden_outing FROM account WHERE key = ?1", key) ?? outing
    }
    // Someone who is no responder any more learns nothing of it.
    guard outing != nil, case .contact(let recipient) = message.recipient else { return }
    let isResponder = try responders(of: key).contains { $0.id == recipient }
    if isResponder || message.isSilent || message.stage == .accountDeleted {
      message.tell(of: outing)
    }
  }
}

extension Outing: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }

  package var sqlValue: SQLValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A value of texts, dates and numbers can always be written.
    return .text((try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  package init?(sqlValue: SQLValue) {
    guard let text = String(sqlValue: sqlValue),
      let outing = try? JSONDecoder().decode(Outing.self, from: Data(text.utf8))
    else { return nil }
    self = outing
  }
}
