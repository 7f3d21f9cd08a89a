public import Composable
public import Domain

/// The notifications on screen, and their history (NOT-1).
///
/// The store writes most of them itself, in the transaction of the event. They are kept for 30
/// days; older ones are deleted when a new one is written.
public struct NotificationClient: ClientInterface {
  /// Returns the notifications that match a filter, newest first, up to the limit.
  @Endpoint("NotificationClient.notifications")
  public var notifications:
    @Sendable (_ limit: Int, _ filter: NotificationFilter) async throws(ClientError) ->
      [NotificationItem]
  /// Adds a notification that concerns only this person.
  @Endpoint("NotificationClient.addLocal")
  public var addLocal:
    @Sendable (_ kind: NotificationItem.Kind, _ subject: String, _ detail: String)
      async throws(ClientError) -> NotificationItem
  /// Marks a notification as read; does nothing if it is gone.
  @Endpoint("NotificationClient.markAsRead")
  public var markAsRead: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void
  @Endpoint("NotificationClient.markAllAsRead")
  public var markAllAsRead: @Sendable () async throws(ClientError) -> Void
  /// Deletes a notification; does nothing if it is gone.
  @Endpoint("NotificationClient.delete")
  public var delete: @Sendable (NotificationItem.ID) async throws(ClientError) -> Void
  /// Deletes the whole history.
  @Endpoint("NotificationClient.clearAll")
  public var clearAll: @Sendable () async throws(ClientError) -> Void
  @Endpoint("NotificationClient.unreadCount")
  public var unreadCount: @Sendable () async throws(ClientError) -> Int
  /// ``notifications`` now and after every change by anyone, including the monitor.
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
