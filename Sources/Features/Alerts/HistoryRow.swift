import Domain
import FoundationEssentials

/// A row of the Alerts tab: an active alert or a notification.
enum HistoryRow: Identifiable, Equatable, Sendable {
  case alert(AlertReport)
  case notification(NotificationItem)

  var id: UUID {
    switch self {
    case .alert(let report): report.id
    case .notification(let item): item.id
    }
  }

  var date: Date {
    switch self {
    case .alert(let report): report.alert.raisedAt
    case .notification(let item): item.date
    }
  }
}

extension AccountSnapshot {
  /// The alert that a notification is about, with its deliveries (ALT-3).
  func report(about item: NotificationItem) -> AlertReport? {
    let kind: Alert.Kind
    switch item.kind {
    case .alertSent, .alertEnded, .alertAcknowledged, .alertWithdrawn: kind = .manual
    case .nonResponsive: kind = .missed
    case .notBack: kind = .outing
    case .allClear where item.subject.isEmpty: kind = .missed
    case .drillPassed, .drillFailed: kind = .drill
    default: return nil
    }
    // Only one alert of a kind is on at a time, so it is the last one raised before the
    // notification.
    return alerts.first { $0.alert.kind == kind && $0.alert.raisedAt <= item.date }
  }
}
