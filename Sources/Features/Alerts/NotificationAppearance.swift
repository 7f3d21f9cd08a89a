public import Domain
import Terminal

/// The texts, marks and colours of notifications. A mark's shape says the same as its colour.
extension NotificationItem {
  /// What happened, as a sentence without a full stop.
  var title: String {
    switch kind {
    case .alertSent: "You raised an alert"
    case .alertEnded: "Your alert is over"
    case .dependentAlert: "\(subject) needs help"
    case .dependentAlertEnded: "\(subject)'s alert is over"
    case .alertAcknowledged: "\(subject) is responding"
    case .alertWithdrawn: "\(subject) is no longer responding"
    case .nonResponsive: "You missed your deadline and its grace time"
    case .dependentNonResponsive: "\(subject) has not checked in"
    case .notBack: "You weren't back by the time you said, and its grace time"
    case .dependentNotBack: "\(subject) isn't back"
    case .allClear:
      subject.isEmpty
        ? "All clear: you are back"
        : "All clear: \(subject) \(detail.isEmpty ? "has checked in" : detail)"
    case .contactRequested: "\(subject) asks to be your contact"
    case .contactAdded: "\(subject) is a contact now"
    case .contactAccepted: "\(subject) accepted"
    case .contactDeclined: "\(subject) declined"
    case .invitationUsed: "\(subject) joined with your invitation"
    case .contactRemoved: "\(subject) is no longer a contact"
    case .rolesChanged: "\(subject)'s roles changed"
    case .pingSent: "You asked \(subject) to check in"
    case .pingReceived: "\(subject) asks you to check in"
    case .pingAnswered: "\(subject) answered your ping"
    case .pingWithdrawn: "\(subject) no longer asks you to check in"
    case .pingExpired: "The ping between you and \(subject) expired"
    case .reminder:
      detail.hasPrefix("to be back") ? "You are \(detail)" : "Check in within \(detail)"
    case .deadlinePassed where isAboutReturn: "You said you'd be back by now"
    case .deadlinePassed: "Your deadline has passed: check in now"
    case .deliveryFailed:
      subject.isEmpty ? "A message to you wasn't sent" : "A message to \(subject) wasn't sent"
    case .drillPassed, .drillFailed, .info, .success, .error: detail.isEmpty ? subject : detail
    }
  }

  /// Details besides ``title``; can be empty.
  var remark: String {
    switch kind {
    case .reminder, .allClear: ""
    case .drillPassed, .drillFailed, .info, .success, .error: detail.isEmpty ? "" : subject
    default: detail
    }
  }

  /// The text of a desktop notification: title and remark on one line, without a full stop.
  public var callText: String { remark.isEmpty ? title : "\(title): \(remark)" }

  var mark: String {
    switch kind {
    case .alertSent, .alertWithdrawn, .dependentAlert: "!"
    case .nonResponsive, .dependentNonResponsive, .notBack, .dependentNotBack, .deadlinePassed: "▲"
    case .alertEnded, .dependentAlertEnded, .alertAcknowledged, .allClear, .drillPassed, .success,
      .pingAnswered:
      "✓"
    case .reminder: "◐"
    case .deliveryFailed, .drillFailed, .error: "✗"
    case .contactRequested: "◌"
    case .pingSent, .pingReceived, .pingWithdrawn, .pingExpired: "↗"
    case .contactAdded, .contactAccepted, .contactDeclined, .contactRemoved, .invitationUsed,
      .rolesChanged, .info:
      "·"
    }
  }

  var role: ThemeRole {
    switch kind {
    case .alertSent, .alertWithdrawn, .dependentAlert, .nonResponsive, .dependentNonResponsive,
      .notBack, .dependentNotBack, .deadlinePassed:
      .danger
    case .reminder, .deliveryFailed, .drillFailed, .error, .pingReceived, .contactRequested:
      .warning
    case .alertEnded, .dependentAlertEnded, .alertAcknowledged, .allClear, .drillPassed, .success,
      .pingAnswered, .contactAccepted, .invitationUsed:
      .calm
    default: .dim
    }
  }
}

extension NotificationItem.Topic {
  var title: String {
    switch self {
    case .alerts: "Alerts"
    case .pings: "Pings"
    case .contacts: "Contacts"
    case .checkIns: "Check-ins"
    case .system: "System"
    }
  }
}
