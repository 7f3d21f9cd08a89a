public import Composable
public import Domain

/// What the person is told on screen, and the history of it (NOT-1).
///
/// The store writes most of it itself, in the transaction of what it tells. Notifications are kept
/// for 30 days; older ones go when a new one is written.
public struct NotificationClient: ClientInterface {
  /// Notifications that a filter lets through, newest first, at most this many.
  public var notifications:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) async throws(ClientError) ->
      [NotificationItem] = unimplemented("NotificationClient.notifications")
  /// Adds one that concerns this person only.
  public var addLocal:
    @Sendable (_ kind: NotificationItem.Kind, _ subject: String, _ detail: String)
      async throws(ClientError) -> NotificationItem = unimplemented(
        "NotificationClient.addLocal")
  /// Marks one as read; one that is gone is let be.
  public var markAsRead: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void =
    unimplemented("NotificationClient.markAsRead")
  public var markAllAsRead: @Sendable () async throws(ClientError) -> Void = unimplemented(
    "NotificationClient.markAllAsRead")
  /// Deletes one; one that is gone is let be.
  public var delete: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void =
    unimplemented("NotificationClient.delete")
  /// Deletes the whole history.
  public var clearAll: @Sendable () async throws(ClientError) -> Void = unimplemented(
    "NotificationClient.clearAll")
  public var unreadCount: @Sendable () async throws(ClientError) -> Int = unimplemented(
    "NotificationClient.unreadCount")
  /// ``notifications`` now and after every change by anyone, the monitor included.
  public var observe:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) ->
      AsyncThrowingStream<[NotificationItem], any Error> = unimplemented(
        "NotificationClient.observe", placeholder: .finished())

  public init() {}
}

extension DependencyValues {
  public var notificationClient: NotificationClient {
    get { self[NotificationClient.self] }
    set { self[NotificationClient.self] = newValue }
  }
}
