import Clients
import Composable
import Domain
import Features
import Synchronization

/// The user's notifications, in lines (NOT-1).
final class PlainNotifications: Sendable {
  /// The notifications that were unread at the last check; `nil` before the first.
  private let known = Mutex<Set<NotificationItem.ID>?>(nil)
  private static let unread = NotificationFilter(isUnreadOnly: true)
  private static let limit = 50
  /// The user's own actions, which were already reported.
  private static let ownDoing: Set<NotificationItem.Kind> = [.alertSent, .alertEnded, .pingSent]

  /// Says how many are unread; `nil` if none are.
  func unreadCountLine() async -> String? {
    @Dependency(\.notificationClient) var notificationClient
    _ = await newLines()
    guard let count = try? await notificationClient.unreadCount(), count > 0 else { return nil }
    return "\(count) unread. Say notifications to hear \(count == 1 ? "it" : "them")."
  }

  /// Returns a line for each notification that others caused since the last check, oldest first.
  func newLines() async -> [String] {
    @Dependency(\.notificationClient) var notificationClient
    guard let items = try? await notificationClient.notifications(Self.limit, Self.unread) else {
      return []
    }
    let before = known.withLock { known in
      defer { known = Set(items.map(\.id)) }
      return known
    }
    guard let before else { return [] }
    return items.filter { !before.contains($0.id) && !Self.ownDoing.contains($0.kind) }
      .reversed().map { Self.sentence($0) }
  }

  private static func sentence(_ item: NotificationItem) -> String {
    item.callText.hasSuffix(".") ? item.callText : item.callText + "."
  }

  /// Returns a line for each unread notification, oldest first, and marks them as read.
  func unreadLines() async throws -> [String] {
    @Dependency(\.notificationClient) var notificationClient
    @Dependency(\.dateClient) var dateClient
    let items = try await notificationClient.notifications(Self.limit, Self.unread)
    for item in items {
      try await notificationClient.markAsRead(item.id)
    }
    guard !items.isEmpty else { return ["Nothing is unread."] }
    return items.reversed().map {
      "\(dateClient.describe($0.date)), \(Self.sentence($0))"
    }
  }
}
