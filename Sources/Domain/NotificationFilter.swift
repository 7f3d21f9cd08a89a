/// Which notifications are asked for (NOT-1).
public struct NotificationFilter: Equatable, Codable, Sendable {
  /// `nil` for every topic.
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
