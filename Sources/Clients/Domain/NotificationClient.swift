public import Composable
public import Domain

/// What the person is told on screen, and the history of it (NOT-1).
///
/// The store writes most of it itself, in the transaction of what it tells. Notifications are kept
/// for 30 days; older ones go when a new one is written.
public struct NotificationClient: Sendable {
  /// Notifications that a filter lets through, newest first, at most this many.
  public var notifications:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) async throws(NotificationError) ->
      [NotificationItem]
  /// Adds one that concerns this person only.
  public var addLocal:
    @Sendable (_ kind: NotificationItem.Kind, _ subject: String, _ detail: String)
      async throws(NotificationError) -> NotificationItem
  /// Marks one as read; one that is gone is let be.
  public var markAsRead: @Sendable (NotificationItem.ID) async throws(NotificationError) -> Void
  public var markAllAsRead: @Sendable () async throws(NotificationError) -> Void
  /// Deletes one; one that is gone is let be.
  public var delete: @Sendable (NotificationItem.ID) async throws(NotificationError) -> Void
  /// Deletes the whole history.
  public var clearAll: @Sendable () async throws(NotificationError) -> Void
  public var unreadCount: @Sendable () async throws(NotificationError) -> Int
  /// ``notifications`` now and after every change by anyone, the monitor included.
  public var observe:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) ->
      AsyncThrowingStream<[NotificationItem], any Error>

  public init(
    notifications:
      @escaping @Sendable (Int, NotificationFilter) async throws(NotificationError) ->
      [NotificationItem],
    addLocal:
      @escaping @Sendable (NotificationItem.Kind, String, String) async throws(NotificationError)
      -> NotificationItem,
    markAsRead: @escaping @Sendable (NotificationItem.ID) async throws(NotificationError) -> Void,
    markAllAsRead: @escaping @Sendable () async throws(NotificationError) -> Void,
    delete: @escaping @Sendable (NotificationItem.ID) async throws(NotificationError) -> Void,
    clearAll: @escaping @Sendable () async throws(NotificationError) -> Void,
    unreadCount: @escaping @Sendable () async throws(NotificationError) -> Int,
    observe:
      @escaping @Sendable (Int, NotificationFilter) ->
      AsyncThrowingStream<[NotificationItem], any Error>
  ) {
    self.notifications = notifications
    self.addLocal = addLocal
    self.markAsRead = markAsRead
    self.markAllAsRead = markAllAsRead
    self.delete = delete
    self.clearAll = clearAll
    self.unreadCount = unreadCount
    self.observe = observe
  }
}

extension NotificationClient: TestDependencyKey {
  public static var testValue: Self {
    func missing(_ name: String) -> NotificationError {
      .unimplemented("NotificationClient.\(name)")
    }
    return Self(
      notifications: unimplemented(
        "NotificationClient.notifications", throwing: missing("notifications")),
      addLocal: unimplemented("NotificationClient.addLocal", throwing: missing("addLocal")),
      markAsRead: unimplemented("NotificationClient.markAsRead", throwing: missing("markAsRead")),
      markAllAsRead: unimplemented(
        "NotificationClient.markAllAsRead", throwing: missing("markAllAsRead")),
      delete: unimplemented("NotificationClient.delete", throwing: missing("delete")),
      clearAll: unimplemented("NotificationClient.clearAll", throwing: missing("clearAll")),
      unreadCount: unimplemented(
        "NotificationClient.unreadCount", throwing: missing("unreadCount")),
      observe: unimplemented("NotificationClient.observe", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var notificationClient: NotificationClient {
    get { self[NotificationClient.self] }
    set { self[NotificationClient.self] = newValue }
  }
}
