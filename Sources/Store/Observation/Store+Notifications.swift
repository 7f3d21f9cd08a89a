import Clients
import Domain
import FoundationEssentials

extension Store {
  // MARK: Writing

  /// Notifies a person on screen (NOT-1), and deletes notifications that are too old.
  @discardableResult
  func notify(
    _ key: Int, _ kind: NotificationItem.Kind, about subject: String = "", detail: String = ""
  ) throws(StorageError) -> NotificationItem {
    let now = now().stored
    let item = NotificationItem(
      id: makeUUID(), kind: kind, date: now, subject: subject, detail: detail)
    try database.run("DELETE FROM notification WHERE at <= ?1", now - NotificationItem.lifetime)
    try database.run(
      """
      INSERT INTO notification (account, id, kind, at, subject, detail)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, key, item.id, kind, now, subject, detail)
    try noteChange(of: key)
    return item
  }

  /// Notifies a person on screen of a stage of the current deadline, once.
  func notify(_ key: Int, stage: Stage) throws {
    try database.run(
      """
      DELETE FROM notice WHERE account = ?1 AND sequence NOT IN (
        \(Self.outingNotices), (SELECT check_in_sequence FROM account WHERE key = ?1))
      """, key)
    let isNew = try database.rowsChanged(
      by: """
        INSERT INTO notice (account, sequence, stage)
        SELECT key, iif(?3 = 1, \(Self.outingNotices), check_in_sequence), ?2
        FROM account WHERE key = ?1 ON CONFLICT DO NOTHING
        """, key, stage, stage.isAboutOuting)
    guard isNew > 0 else { return }
    let user = try user(key)
    let left = TimeSpan(
      seconds: stage.isAboutOuting
        ? user.outing?.secondsLeft(at: now()) ?? 0 : user.deadline.secondsLeft(at: now()))
    guard let notice = NotificationItem.Notice(stage, left: left) else { return }
    try notify(key, notice.kind, detail: notice.detail)
  }

  func shownStages(_ key: Int, sequence: Int) throws(StorageError) -> Set<Stage> {
    Set(
      try database.column(
        Stage.self, "SELECT stage FROM notice WHERE account = ?1 AND sequence = ?2", key, sequence))
  }

  /// Notifies a person that a message of theirs has failed for good. This leaves out messages about
  /// an alert that they must not see (CHK-3), and repetitions (ESC-2).
  func notifyFailure(of delivery: Int) throws(StorageError) {
    let failed = try database.row(
      """
      SELECT delivery.account, iif(recipient = 'owner', '', recipient_name), last_error
      FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
      WHERE delivery.key = ?1 AND coalesce(alert.kind, '') <> 'duress'
        AND NOT delivery.stage GLOB '*_again:*' AND NOT delivery.stage GLOB 'checked_in:*'
      """, delivery
    ) { row throws(StorageError) -> (account: Int, name: String, error: String?) in
      (try row.read(), try row.read(), try row.read())
    }
    guard let failed else { return }
    try notify(failed.account, .deliveryFailed, about: failed.name, detail: failed.error ?? "")
  }

  // MARK: The client's operations

  func notifications(
    _ limit: Int, _ filter: NotificationFilter
  ) throws(ClientError) -> [NotificationItem] {
    try read {
      // The kinds are our own constants, so that they can stand in the statement.
      let kinds = NotificationItem.Kind.allCases
        .filter { filter.topic == nil || $0.topic == filter.topic }
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")
      return try database.rows(
        """
        SELECT id, kind, at, is_read, subject, detail FROM notification
        WHERE account = ?1 AND is_read <= ?2 AND kind IN (\(kinds)) ORDER BY key DESC LIMIT ?3
        """, requireCurrentKey(), !filter.isUnreadOnly, max(0, limit)
      ) { row throws(StorageError) in
        NotificationItem(
          id: try row.read(), kind: try row.read(), date: try row.read(), isRead: try row.read(),
          subject: try row.read(), detail: try row.read())
      }
    }
  }

  func addNotification(
    _ kind: NotificationItem.Kind, about subject: String, detail: String
  ) throws(ClientError) -> NotificationItem {
    try write(.other) {
      try notify(requireCurrentKey(), kind, about: subject, detail: detail)
    }
  }

  func markNotificationAsRead(_ id: NotificationItem.ID) throws(ClientError) {
    try changeNotifications(
      "UPDATE notification SET is_read = 1 WHERE account = ?1 AND id = ?2", id)
  }

  func markAllNotificationsAsRead() throws(ClientError) {
    try changeNotifications(
      "UPDATE notification SET is_read = 1 WHERE account = ?1 AND is_read = 0")
  }

  func deleteNotification(_ id: NotificationItem.ID) throws(ClientError) {
    try changeNotifications("DELETE FROM notification WHERE account = ?1 AND id = ?2", id)
  }

  func clearNotifications() throws(ClientError) {
    try changeNotifications("DELETE FROM notification WHERE account = ?1")
  }

  func unreadNotifications() throws(ClientError) -> Int {
    try read {
      try database.value(
        Int.self, "SELECT count(*) FROM notification WHERE account = ?1 AND is_read = 0",
        requireCurrentKey()) ?? 0
    }
  }

  private func changeNotifications(
    _ sql: String, _ id: NotificationItem.ID? = nil
  ) throws(ClientError) {
    try write(.other) { key in
      let changed =
        if let id {
          try database.rowsChanged(by: sql, key, id)
        } else {
          try database.rowsChanged(by: sql, key)
        }
      if changed > 0 { try noteChange(of: key) }
    }
  }
}
