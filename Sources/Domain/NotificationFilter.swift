/// A filter for the list of notifications (NOT-1).
public struct NotificationFilter: Equatable, Codable, Sendable {
  /// The topic to list, or `nil` for every topic.
  public var topic: NotificationItem.Topic?
  public var isUnreadOnly: Bool

  public init(topic: NotificationItem.Topic? = nil, isUnreadOnly: Bool = false) {
    self.topic = topic
    self.isUnreadOnly = isUnreadOnly
  }

  /// Every notification.
  public static let all = Self()

  public func matches(_ item: NotificationItem) -> Bool {
    (topic == nil || item.kind.topic == topic) && !(isUnreadOnly && item.isRead)
  }
}
