public import Composable
public import Domain

/// What the person is notified of on screen, and the history of it (NOT-1).
///
/// The store writes most of it itself, in the transaction of what it tells. Notifications are kept
/// for 30 days; older ones go when a new one is written.
public struct NotificationClient: ClientInterface {
  /// Notifications that a filter lets through, newest first, at most this many.
  @Endpoint("NotificationClient.notifications")
  public var notifications:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) async throws(ClientError) ->
      [NotificationItem]
  /// Adds one that concerns this person only.
  @Endpoint("NotificationClient.addLocal")
  public var addLocal:
    @Sendable (_ kind: NotificationItem.Kind, _ subject: String, _ detail: String)
      async throws(ClientError) -> NotificationItem
  /// Marks one as read; one that is gone is let be.
  @Endpoint("NotificationClient.markAsRead")
  public var markAsRead: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void
  @Endpoint("NotificationClient.markAllAsRead")
  public var markAllAsRead: @Sendable () async throws(ClientError) -> Void
  /// Deletes one; one that is gone is let be.
  @Endpoint("NotificationClient.delete")
  public var delete: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void
  /// Deletes the whole history.
  @Endpoint("NotificationClient.clearAll")
  public var clearAll: @Sendable () async throws(ClientError) -> Void
  @Endpoint("NotificationClient.unreadCount")
  public var unreadCount: @Sendable () async throws(ClientError) -> Int
  /// ``notifications`` now and after every change by anyone, the monitor included.
  @StreamEndpoint("NotificationClient.observe")
  public var observe:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) -> AsyncThrowingStream<
      [NotificationItem], any Error
    >

  public init() {}
}

extension DependencyValues {
  public var notificationClient: NotificationClient {
    get { self[NotificationClient.self] }
    set { self[NotificationClient.self] = newValue }
  }
}
