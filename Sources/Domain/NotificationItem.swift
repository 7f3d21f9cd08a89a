public import FoundationEssentials

/// A notification that is shown to the person and kept in the history (NOT-1).
public struct NotificationItem: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var kind: Kind
  public var date: Date
  public var isRead: Bool
  /// The name of the person it is about; empty for the person themselves and the system.
  public var subject: String
  /// An alert's message, what changed, or why something failed; can be empty.
  public var detail: String

  public init(
    id: UUID, kind: Kind, date: Date, isRead: Bool = false, subject: String = "",
    detail: String = ""
  ) {
    self.id = id
    self.kind = kind
    self.date = date
    self.isRead = isRead
    self.subject = subject
    self.detail = detail
  }

  /// How long a notification is kept.
  public static let lifetime = TimeSpan.days(30)

  public enum Kind: String, Equatable, Codable, CaseIterable, Sendable {
    case alertSent = "alert_sent"
    case alertEnded = "alert_ended"
    case dependentAlert = "dependent_alert"
    case dependentAlertEnded = "dependent_alert_ended"
    case alertAcknowledged = "alert_acknowledged"
    /// A responder is no longer responding.
    case alertWithdrawn = "alert_withdrawn"
    case nonResponsive = "non_responsive"
    case dependentNonResponsive = "dependent_non_responsive"
    /// The person isn't back from an outing, and its responders are notified (OUT-4).
    case notBack = "not_back"
    case dependentNotBack = "dependent_not_back"
    case allClear = "all_clear"
    case contactRequested = "contact_requested"
    case contactAdded = "contact_added"
    case contactAccepted = "contact_accepted"
    case contactDeclined = "contact_declined"
    /// A person has opened an account with the user's invitation, and is a contact now.
    case invitationUsed = "invitation_used"
    case contactRemoved = "contact_removed"
    case rolesChanged = "roles_changed"
    case pingSent = "ping_sent"
    case pingReceived = "ping_received"
    case pingAnswered = "ping_answered"
    case pingWithdrawn = "ping_withdrawn"
    case pingExpired = "ping_expired"
    case reminder
    case deadlinePassed = "deadline_passed"
    case deliveryFailed = "delivery_failed"
    /// A drill is over and every responder was notified; otherwise it is ``drillFailed``.
    case drillPassed = "drill_passed"
    case drillFailed = "drill_failed"
    case info = "system_info"
    case success = "system_success"
    case error = "system_error"
  }

  /// The groups by which the history can be filtered.
  public enum Topic: String, Equatable, Codable, CaseIterable, Sendable {
    case alerts, pings, contacts, checkIns, system
  }

  /// How pressing a notification is (NOT-2).
  public enum Priority: Int, Equatable, Comparable, Codable, Sendable {
    case low, medium, high
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}

extension NotificationItem.Kind {
  public var topic: NotificationItem.Topic {
    switch self {
    case .alertSent, .alertEnded, .dependentAlert, .dependentAlertEnded, .alertAcknowledged,
      .alertWithdrawn:
      .alerts
    case .pingSent, .pingReceived, .pingAnswered, .pingWithdrawn, .pingExpired: .pings
    case .contactRequested, .contactAdded, .contactAccepted, .contactDeclined, .contactRemoved,
      .invitationUsed, .rolesChanged:
      .contacts
    case .nonResponsive, .dependentNonResponsive, .notBack, .dependentNotBack, .allClear, .reminder,
      .deadlinePassed:
      .checkIns
    case .deliveryFailed, .drillPassed, .drillFailed, .info, .success, .error: .system
    }
  }

  /// High for alerts and the last message before others are notified; medium for what ends them,
  /// pings and reminders; low for the rest (NOT-2).
  public var priority: NotificationItem.Priority {
    switch self {
    case .alertSent, .alertWithdrawn, .dependentAlert, .nonResponsive, .dependentNonResponsive,
      .notBack, .dependentNotBack, .deadlinePassed:
      .high
    case .alertEnded, .dependentAlertEnded, .alertAcknowledged, .allClear, .pingSent,
      .pingReceived, .pingAnswered, .pingWithdrawn, .pingExpired, .reminder, .deliveryFailed:
      .medium
    case .contactRequested, .contactAdded, .contactAccepted, .contactDeclined, .contactRemoved,
      .invitationUsed, .rolesChanged, .drillPassed, .drillFailed, .info, .success, .error:
      .low
    }
  }
}

extension NotificationItem {
  fileprivate static let backDetail = "Say that you're back, or stay out for longer."
  fileprivate static let lateBackDetail =
    "No monitor was running at that time: your grace time starts again."

  /// Whether the deadline that has passed is that of an outing (OUT-2).
  public var isAboutReturn: Bool {
    kind == .deadlinePassed && [Self.backDetail, Self.lateBackDetail].contains(detail)
  }
}

extension NotificationItem {
  /// The notification of a stage of the person's own deadline.
  public struct Notice: Equatable, Sendable {
    public var kind: Kind
    public var detail: String

    /// - Parameter left: The time to the deadline, which is shorter than the reminder's if a
    ///   monitor started late.
    /// - Returns: `nil` for a stage that is not about the person's own deadline.
    public init?(_ stage: Stage, left: TimeSpan) {
      switch stage {
      case .reminder(let lead):
        kind = .reminder
        let minutes = max(1, (left.seconds + 59) / 60)
        detail = min(lead, .minutes(minutes)).exactDescription
      case .deadlinePassed:
        kind = .deadlinePassed
        detail = ""
      case .noticedLate:
        kind = .deadlinePassed
        detail = "No monitor was running when it passed: your grace time starts again."
      case .outingEnds(.zero, _):
        kind = .deadlinePassed
        detail = NotificationItem.backDetail
      case .outingEnds(let lead, _):
        kind = .reminder
        let minutes = max(1, (left.seconds + 59) / 60)
        detail = "to be back in \(min(lead, .minutes(minutes)).exactDescription)"
      case .outingNoticedLate:
        kind = .deadlinePassed
        detail = NotificationItem.lateBackDetail
      default: return nil
      }
    }
  }
}
