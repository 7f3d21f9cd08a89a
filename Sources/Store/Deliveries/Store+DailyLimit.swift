import Clients
import Domain
import FoundationEssentials

/// How many messages about one person a recipient is sent within a day (NOT-5): twenty, of which
/// tests and drills take ten, besides calls for help and their ends. The others wait.
extension Store {
  /// An SQL condition for a message that counts for nothing.
  static let neverHeldBack = Stage.namesNeverHeldBack.sorted()
    .map { "stage = '\($0)' OR stage GLOB '\($0):*'" }.joined(separator: " OR ")

  /// Returns until when a message has to wait; `nil` if it doesn't.
  /// - Parameter kind: The kind of the alert that it is about.
  func heldBack(
    _ planned: PlannedDelivery, about kind: Alert.Kind?, account: Int, at now: Date
  ) throws(StorageError) -> Date? {
    let isTest = if case .channelTest = planned.stage { true } else { kind == .drill }
    // A person's own reminders are never too many.
    guard planned.recipient != .owner || isTest,
      !planned.stage.isNeverHeldBack(inDrill: kind == .drill)
    else { return nil }
    let limit = isTest ? ContactRules.testsADay : ContactRules.messagesADay
    // What a silent alert sends must not show in what its person can see (CHK-3).
    let last = try database.value(
      Date.self,
      """
      SELECT not_before FROM delivery INDEXED BY delivery_recipient
        LEFT JOIN alert ON alert.key = delivery.alert
      WHERE delivery.account = ?1 AND recipient = ?2 AND delivery.state IN ('pending', 'sent')
        AND iif(alert.kind = 'duress', 1, 0) = ?3
        AND (recipient <> 'owner' OR stage GLOB 'channel_test:*')
        AND (coalesce(alert.kind, '') = 'drill' OR NOT (\(Self.neverHeldBack)))
      ORDER BY not_before DESC LIMIT 1 OFFSET ?4
      """, account, planned.recipient, kind == .duress, limit - 1)
    let end = last.map { $0 + .days(1) }.flatMap { $0 > now ? $0 : nil }
    guard isTest else { return end }
    // On a server nobody is sent a test before they learn that they are a contact, which may wait.
    let introduction = try database.value(
      Date.self,
      """
      SELECT max(not_before) FROM delivery INDEXED BY delivery_recipient
      WHERE account = ?1 AND recipient = ?2 AND channel = ?3 AND address = ?4 AND stage = ?5
        AND state = 'pending' AND attempts = 0 AND not_before > ?6
      """, account, planned.recipient, planned.channel, planned.address, Stage.contactAdded, now)
    return introduction.map { max($0, end ?? $0) } ?? end
  }

  /// Lets a message wait that was just stored, and notifies its person once a day. A drill's call is
  /// given up at once.
  /// - Parameter alert: The key of the alert that it is about, and the alert's kind.
  func holdBack(
    _ planned: PlannedDelivery, about alert: (key: Int, kind: Alert.Kind)?, until date: Date,
    account: Int, at now: Date
  ) throws(StorageError) {
    let message =
      """
      account = ?1 AND stage = ?2 AND recipient = ?3 AND channel = ?4 AND address = ?5
        AND state = 'pending' AND attempts = 0 AND coalesce(alert, 0) = ?6
      """
    // A drill isn't on until tomorrow; its report says so.
    if alert?.kind == .drill {
      return try database.run(
        """
        UPDATE delivery SET state = 'failed', finished_at = ?7, detail = '', last_error = ?8
        WHERE \(message)
        """, account, planned.stage, planned.recipient, planned.channel, planned.address,
        alert?.key ?? 0, now, DeliveryReport.heldBackReason)
    }
    // It is as old as its first attempt (CHN-2).
    try database.run(
      "UPDATE delivery SET not_before = ?7, planned_at = ?7 WHERE \(message)", account,
      planned.stage, planned.recipient, planned.channel, planned.address, alert?.key ?? 0, date)
    // What a silent alert sends stays hidden.
    guard alert?.kind != .duress, planned.recipient != .owner else { return }
    let subject = "Messages to \(planned.recipientName) wait until tomorrow"
    let isKnown = try database.value(
      Int.self,
      "SELECT 1 FROM notification WHERE account = ?1 AND kind = ?2 AND subject = ?3 AND at > ?4",
      account, NotificationItem.Kind.info, subject, now - .days(1))
    guard isKnown == nil else { return }
    try notify(
      account, .info, about: subject,
      detail: "They were sent many today. A call for help never waits.")
  }
}
