import Clients
import Domain

extension StoreClients {
  var notificationClient: NotificationClient {
    NotificationClient {
      $0.notifications = {
        [store] (limit: Int, filter: NotificationFilter) async throws(ClientError) in
        try await store.notifications(limit, filter)
      }
      $0.addLocal = {
        [store] (kind: NotificationItem.Kind, subject: String, detail: String)
          async throws(ClientError) in
        try await store.addNotification(kind, about: subject, detail: detail)
      }
      $0.markAsRead = { [store] (id: NotificationItem.ID) async throws(ClientError) in
        try await store.markNotificationAsRead(id)
      }
      $0.markAllAsRead = { [store] () async throws(ClientError) in
        try await store.markAllNotificationsAsRead()
      }
      $0.delete = { [store] (id: NotificationItem.ID) async throws(ClientError) in
        try await store.deleteNotification(id)
      }
      $0.clearAll = { [store] () async throws(ClientError) in
        try await store.clearNotifications()
      }
      $0.unreadCount = { [store] () async throws(ClientError) in
        try await store.unreadNotifications()
      }
      $0.observe = { [store] limit, filter in
        store.observeAccount { store throws(ClientError) in
          try store.notifications(limit, filter)
        }
      }
    }
  }
}
