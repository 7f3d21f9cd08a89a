import Domain
import Terminal

/// The marks, colours and titles of a status. A mark's shape says the same as its colour.
extension CheckInStatus {
  var mark: String {
    switch self {
    case .ok: "●"
    case .dueSoon: "◐"
    case .overdue, .nonResponsive: "▲"
    case .alert: "!"
    case .paused: "‖"
    }
  }

  var role: ThemeRole {
    switch self {
    case .ok: .calm
    case .dueSoon: .warning
    case .overdue, .nonResponsive, .alert: .danger
    case .paused: .dim
    }
  }

  /// The mark beside a tab's title, or `nil` if all is well.
  var badge: String? {
    switch self {
    case .ok: nil
    case .dueSoon, .overdue, .nonResponsive, .alert, .paused: mark
    }
  }

  /// The status in a word.
  var title: String {
    switch self {
    case .ok: "All is well"
    case .dueSoon: "Due soon"
    case .overdue: "Overdue"
    case .nonResponsive: "No check-in"
    case .alert: "Alert"
    case .paused: "Paused"
    }
  }
}

extension Urgency {
  var role: ThemeRole {
    switch self {
    case .calm: .calm
    case .warning: .warning
    case .urgent: .warning
    case .overdue: .danger
    }
  }
}
