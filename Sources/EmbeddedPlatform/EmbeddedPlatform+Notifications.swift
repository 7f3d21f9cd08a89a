import Clients
import Domain

extension EmbeddedPlatform {
  var notificationClient: NotificationClient {
    NotificationClient(
      notifications: {
        [store] (limit: Int, filter: NotificationFilter) async throws(NotificationError) in
        try await store.notifications(limit, filter)
      },
      addLocal: {
        [store] (kind: NotificationItem.Kind, subject: String, detail: String)
          async throws(NotificationError) in
        try await store.addNotification(kind, about: subject, detail: detail)
      },
      markAsRead: { [store] (id: NotificationItem.ID) async throws(NotificationError) in
        try await store.markNotificationAsRead(id)
      },
      markAllAsRead: { [store] () async throws(NotificationError) in
        try await store.markAllNotificationsAsRead()
      },
      delete: { [store] (id: NotificationItem.ID) async throws(NotificationError) in
        try await store.deleteNotification(id)
      },
      clearAll: { [store] () async throws(NotificationError) in
        try await store.clearNotifications()
      },
      unreadCount: { [store] () async throws(NotificationError) in
        try await store.unreadNotifications()
      },
      observe: { [store] limit, filter in
        store.observeAccount(NotificationError.self) { store throws(NotificationError) in
          try store.notifications(limit, filter)
        }
      })
  }
}
