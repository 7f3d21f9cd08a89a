import Clients
import Domain

extension StoreClients {
  var notificationClient: NotificationClient {
    NotificationClient {
      $0.notifications = { limit, filter async throws(ClientError) in
        try await store.notifications(limit, filter)
      }
      $0.addLocal = { kind, subject, detail async throws(ClientError) in
        try await store.addNotification(kind, about: subject, detail: detail)
      }
      $0.markAsRead = { id async throws(ClientError) in try await store.markNotificationAsRead(id) }
      $0.markAllAsRead = { () async throws(ClientError) in
        try await store.markAllNotificationsAsRead()
      }
      $0.delete = { id async throws(ClientError) in try await store.deleteNotification(id) }
      $0.clearAll = { () async throws(ClientError) in try await store.clearNotifications() }
      $0.unreadCount = { () async throws(ClientError) in try await store.unreadNotifications() }
      $0.observe = { limit, filter in store.observeAccount { try $0.notifications(limit, filter) } }
    }
  }
}
