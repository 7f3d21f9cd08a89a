import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var notificationClient: NotificationClient {
    NotificationClient {
      $0.notifications = {
        [store] (limit: Int, filter: NotificationFilter) async throws(NotificationError) in
        try store.readNotifications { $0.notifications(limit, filter) }
      }
      $0.addLocal = {
        [store] (kind: NotificationItem.Kind, subject: String, detail: String)
          async throws(NotificationError) in
        try store.changeNotifications {
          $0.notify(
            kind, about: subject, detail: detail, at: store.now(), makeUUID: store.makeUUID)
        }
      }
      $0.markAsRead = { [store] (id: NotificationItem.ID) async throws(NotificationError) in
        try store.changeNotifications { $0.markAsRead { $0.id == id } }
      }
      $0.markAllAsRead = { [store] () async throws(NotificationError) in
        try store.changeNotifications { $0.markAsRead { _ in true } }
      }
      $0.delete = { [store] (id: NotificationItem.ID) async throws(NotificationError) in
        try store.changeNotifications { $0.notifications.removeAll { $0.id == id } }
      }
      $0.clearAll = { [store] () async throws(NotificationError) in
        try store.changeNotifications { $0.notifications = [] }
      }
      $0.unreadCount = { [store] () async throws(NotificationError) in
        try store.readNotifications { $0.notifications.count { !$0.isRead } }
      }
      $0.observe = { [store] limit, filter in
        store.observe {
          try $0.account(or: NotificationError.notAuthenticated).notifications(limit, filter)
        }
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func readNotifications<Value: Sendable>(
    _ body: (Account) -> Value
  ) throws(NotificationError) -> Value {
    try read { contents throws(NotificationError) in
      body(try contents.account(or: NotificationError.notAuthenticated))
    }
  }

  /// Nothing is due because of what is written here.
  fileprivate func changeNotifications<Value: Sendable>(
    _ body: (inout Account) -> Value
  ) throws(NotificationError) -> Value {
    try write(.other) { contents throws(NotificationError) in
      try contents.changeAccount(
        or: NotificationError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(NotificationError) in
        account.revision += 1
        return body(&account)
      }
    }
  }
}

extension Account {
  /// Tells the person something on screen (NOT-1), and forgets what is too old.
  @discardableResult
  mutating func notify(
    _ kind: NotificationItem.Kind, about subject: String = "", detail: String = "", at now: Date,
    makeUUID: () -> UUID
  ) -> NotificationItem {
    let item = NotificationItem(
      id: makeUUID(), kind: kind, date: now, subject: subject, detail: detail)
    notifications.removeAll { $0.date <= now - NotificationItem.lifetime }
    notifications.append(item)
    revision += 1
    return item
  }

  /// Tells the person what a plan says about the running deadline, once.
  mutating func notify(stage: Stage, at now: Date, makeUUID: () -> UUID) {
    if notices.sequence != user.checkInSequence { notices = (user.checkInSequence, []) }
    guard notices.stages.insert(stage).inserted, let notice = NotificationItem.Notice(stage) else {
      return
    }
    notify(notice.kind, detail: notice.detail, at: now, makeUUID: makeUUID)
  }

  /// What was said on screen about the running deadline.
  var noticed: Set<Stage> {
    notices.sequence == user.checkInSequence ? notices.stages : []
  }

  /// Tells the person that a message of theirs will not arrive any more. Nothing is said of messages
  /// about an alert that they are not to see (CHK-3), and nothing again of what is repeated (ESC-2).
  mutating func notifyFailure(of delivery: StoredDelivery, at now: Date, makeUUID: () -> UUID) {
    if case .alert(let id) = delivery.planned.occasion,
      alerts.contains(where: { $0.alert.id == id && $0.alert.kind == .duress })
    {
      return
    }
    guard !delivery.planned.stage.isRepeat else { return }
    let isOwn = delivery.planned.recipient == .owner
    notify(
      .deliveryFailed, about: isOwn ? "" : delivery.planned.recipientName,
      detail: delivery.lastError ?? "", at: now, makeUUID: makeUUID)
  }

  fileprivate mutating func markAsRead(where isChosen: (NotificationItem) -> Bool) {
    for index in notifications.indices where isChosen(notifications[index]) {
      notifications[index].isRead = true
    }
  }

  fileprivate func notifications(
    _ limit: Int, _ filter: NotificationFilter
  ) -> [NotificationItem] {
    Array(notifications.reversed().lazy.filter(filter.matches).prefix(max(0, limit)))
  }
}
