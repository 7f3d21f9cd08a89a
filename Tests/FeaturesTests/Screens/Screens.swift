import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// A screen for snapshots: its name and the state that shows it.
struct Screen: CustomTestStringConvertible, Sendable {
  var name: String
  private let make: @Sendable () -> AppFeature.State
  var testDescription: String { name }

  init(name: String, make: @escaping @Sendable () -> AppFeature.State) {
    (self.name, self.make) = (name, make)
  }

  /// Makes the state, with shared values of its own.
  func state() -> AppFeature.State {
    withDependencies {
      $0.sharedStorage = SharedStorage()
    } operation: {
      make()
    }
  }
}

extension Screen {
  static func signedIn(
    _ change: (inout AccountSnapshot) -> Void = { _ in }
  ) -> AppFeature.State {
    var snapshot = Sample.snapshot()
    snapshot.history = (0..<12).map { index in
      let source: CheckIn.Source = index % 3 == 0 ? .commandLine : .manual
      let margin: TimeSpan = index == 4 ? .minutes(-50) : .minutes(60 + index * 7)
      return CheckIn(
        id: Sample.id(UInt8(50 + index)), date: Sample.now - .hours(2 + index * 23),
        source: source, sequence: 20 - index, margin: margin)
    }
    snapshot.watch = WatchStatus(monitors: 1, lastSeen: Sample.now)
    snapshot.record = CheckInRecord(snapshot.history, calendar: .utc)
    change(&snapshot)
    var state = AppFeature.State()
    state.main = MainTabFeature.State(snapshot: snapshot)
    return state
  }

  static let alertReports = [
    AlertReport(
      alert: Sample.alert,
      deliveries: [
        DeliveryReport(
          id: Sample.id(30), stage: .alertOn, recipientID: .contact(Sample.grace.id),
          recipient: "Grace Hopper", channel: .email,
          address: "grace@navy.example", state: .sent, date: Sample.now),
        DeliveryReport(
          id: Sample.id(31), stage: .alertOn, recipientID: .contact(Sample.alan.id),
          recipient: "Alan Turing", channel: .email,
          address: "alan@example.org", state: .pending, date: Sample.now + .minutes(2),
          error: "The mail server answered 451: try later."),
      ]),
    AlertReport(
      alert: Alert(
        id: Sample.id(32), kind: .missed, raisedAt: Sample.now - .days(3), sequence: 3,
        resolvedAt: Sample.now - .days(3) + .hours(2))),
  ]

  /// The notifications on screen, newest first.
  static let notifications: [NotificationItem] = [
    item(70, .alertSent, minutes: 0, detail: "fell", isRead: false),
    item(
      71, .deliveryFailed, minutes: 1, subject: "Grandpa", detail: "550 no such user", isRead: false
    ),
    item(72, .reminder, minutes: 30, detail: "30m"),
    item(73, .pingReceived, minutes: 90, subject: "Alan Turing"),
    item(74, .contactAccepted, minutes: 2_000, subject: "Grace Hopper"),
    item(
      75, .drillPassed, minutes: 3_000, detail: "Drill: sent to all 2 responders, within 3s."),
    item(76, .allClear, minutes: 4_200),
    item(77, .nonResponsive, minutes: 4_320),
  ]

  private static func item(
    _ number: UInt8, _ kind: NotificationItem.Kind, minutes: Int, subject: String = "",
    detail: String = "", isRead: Bool = true
  ) -> NotificationItem {
    NotificationItem(
      id: Sample.id(number), kind: kind, date: Sample.now - .minutes(minutes), isRead: isRead,
      subject: subject, detail: detail)
  }

  /// The Alerts tab with a history.
  static func alertsTab(
    _ alerts: [AlertReport] = alertReports, _ change: (inout AlertsFeature.State) -> Void = { _ in }
  ) -> AppFeature.State {
    changing(
      signedIn {
        $0.alerts = alerts
        $0.notifications = notifications
      }
    ) {
      $0.main?.selectedTab = .alerts
      if var tab = $0.main?.alerts {
        change(&tab)
        $0.main?.alerts = tab
      }
    }
  }

  static func changing(
    _ state: AppFeature.State, _ change: (inout AppFeature.State) -> Void
  ) -> AppFeature.State {
    var state = state
    change(&state)
    return state
  }

  static func onboarding(_ step: OnboardingFeature.Step) -> AppFeature.State {
    var state = AppFeature.State()
    state.onboarding = OnboardingFeature.State(calendar: .utc)
    state.onboarding?.show(step)
    return state
  }

  @MainActor static func store(_ state: AppFeature.State) -> StoreOf<AppFeature> {
    Store(initialState: state) { AppFeature() }
  }

  @MainActor static func frame(
    _ store: StoreOf<AppFeature>, _ size: Size = Size(columns: 80, rows: 24)
  ) -> Frame {
    FrameSnapshot.frame(of: AppView(store: store), size: size)
  }

  @MainActor static func lines(_ store: StoreOf<AppFeature>) -> [String] { frame(store).lines }

  static let all: [Screen] =
    opening + checkIn + timeSheets + contacts + relations + alerts + profile + emergency + security
    + documents + channels + names
}
