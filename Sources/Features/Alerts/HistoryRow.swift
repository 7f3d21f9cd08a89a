import Domain
import FoundationEssentials

/// A line of the Alerts tab: an alert that is on, or something that was shown on screen.
enum HistoryRow: Identifiable, Equatable, Sendable {
  case alert(AlertReport)
  case notification(NotificationItem)

  var id: UUID {
    switch self {
    case .alert(let report): report.id
    case .notification(let item): item.id
    }
  }
}

extension AccountSnapshot {
  /// The alert that a notification is about, whose deliveries tell more (ALT-3).
  func report(about item: NotificationItem) -> AlertReport? {
    let kind: Alert.Kind
    switch item.kind {
    case .alertSent, .alertEnded, .alertAcknowledged, .alertWithdrawn: kind = .manual
    case .nonResponsive: kind = .missed
    case .allClear where item.subject.isEmpty: kind = .missed
    case .drillPassed, .drillFailed: kind = .drill
    default: return nil
    }
    // Of a kind one is on at a time, so that it is the last that had begun.
    return alerts.first { $0.alert.kind == kind && $0.alert.raisedAt <= item.date }
  }
}
