import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The Alerts tab: active alerts, the notification history (ALT-3, NOT-1) and the drill (ALT-6).
struct AlertsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// Active alerts, regardless of the filters, then the history, newest first. Found once per
    /// change rather than per frame.
    private(set) var rows: [HistoryRow] = []
    var position = ListPosition(selected: 0)
    /// Whether the person chose the selected row. If not, opening the tab selects the newest one.
    private(set) var isRowChosen = false
    var filter = NotificationFilter.all { didSet { rows = findRows() } }
    /// The search in the history.
    var search = ListFilter() { didSet { rows = findRows() } }
    /// The row that is shown in a sheet.
    var opened: HistoryRow.ID? { didSet { openedMessages = OpenedMessages(openedReport) } }
    /// The messages of the alert that the sheet shows.
    private(set) var openedMessages = OpenedMessages(nil)
    /// How far the sheet is scrolled.
    var scrollOffset = 0
    var question: Question?
    var failure: Failure<Action>?

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      rows = findRows()
    }

    private func findRows() -> [HistoryRow] {
      let matcher = search.matcher
      return snapshot.activeAlerts.map(HistoryRow.alert)
        + snapshot.notifications.lazy.filter { item in
          filter.matches(item)
            && (matcher.matchesAll || matcher.matches("\(item.title) \(item.remark)"))
        }.map(HistoryRow.notification)
    }

    var selectedNotification: NotificationItem? {
      if case .notification(let item) = position.row(of: rows) { item } else { nil }
    }

    var openedNotification: NotificationItem? {
      snapshot.notifications.first { $0.id == opened }
    }

    /// The alert that the sheet shows, with its deliveries.
    var openedReport: AlertReport? {
      snapshot.alerts.first { $0.id == opened }
        ?? openedNotification.flatMap(snapshot.report(about:))
    }

    var activeDrill: AlertReport? { snapshot.activeAlerts.first { $0.alert.kind == .drill } }

    /// Shows a new snapshot. The selection stays on its row unless an alert has just begun, the
    /// person's own or a dependent's, which is then selected.
    mutating func show(_ snapshot: AccountSnapshot) {
      let old = self.snapshot
      guard snapshot.alerts != old.alerts || snapshot.notifications != old.notifications else {
        self.snapshot = snapshot
        return
      }
      let known = Set(old.alerts.map(\.id) + old.notifications.map(\.id))
      let begun = snapshot.alerts.first { $0.alert.isActive && !known.contains($0.id) }?.id
      // Notifications from before the app started are not new.
      let call =
        old.areNotificationsKnown
        ? snapshot.notifications.first {
          $0.kind == .dependentAlert && !$0.isRead && !known.contains($0.id)
        }?.id
        : nil
      keepingSelection(begun ?? call) {
        $0.snapshot = snapshot
        $0.rows = $0.findRows()
        if $0.opened != nil { $0.openedMessages = OpenedMessages($0.openedReport) }
      }
    }

    /// Selects the row that the person moved to.
    mutating func move(to position: ListPosition) {
      self.position = position
      isRowChosen = position.selected > 0
    }

    /// Selects the newest row, unless the person chose another.
    mutating func selectNewest() { if !isRowChosen { position = ListPosition(selected: 0) } }

    /// Makes a change to the rows, then selects `wanted` or keeps the selection on its row.
    mutating func keepingSelection(_ wanted: HistoryRow.ID? = nil, _ change: (inout Self) -> Void) {
      let chosen = wanted ?? position.row(of: rows)?.id
      change(&self)
      position.select(in: rows) { $0.id == chosen }
    }
  }

  /// The messages that the sheet shows, found once per change: an alert can have 100,000.
  struct OpenedMessages: Equatable, Sendable {
    /// All messages; if there are more than a screen shows, those that weren't sent come first.
    let first: [DeliveryReport]
    let count: Int
    /// The result of a drill.
    let drillSummary: String?

    init(_ report: AlertReport?) {
      let all = report?.deliveries ?? []
      count = all.count
      drillSummary = report.flatMap { $0.alert.kind == .drill ? DrillReport($0).summary : nil }
      let limit = Situation.rowLimit
      guard all.count > limit else {
        first = all
        return
      }
      var first = Array(all.lazy.filter { $0.state != .sent }.prefix(limit))
      first += all.lazy.filter { $0.state == .sent }.prefix(limit - first.count)
      self.first = first
    }
  }

  /// The question a dialog asks.
  enum Question: Equatable, Sendable { case clear, drill }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case opened(HistoryRow.ID)
    case scrolled(Int)
    case closeButtonTapped
    case topicSelected(NotificationItem.Topic?)
    /// The key for the next topic was pressed.
    case topicButtonTapped
    case unreadButtonTapped
    case search(ListFilter.Action)
    case readButtonTapped
    case allReadButtonTapped
    case deleteButtonTapped
    case clearButtonTapped
    case clearConfirmed
    case drillButtonTapped
    case drillConfirmed
    case endDrillButtonTapped
    case drillBegun(Alert)
    case questionCancelled
    case replyButtonTapped
    indirect case failed(ErrorText, retry: Action? = nil)
    case failureDismissed
  }

  @Dependency(\.notificationClient) var notificationClient
  @Dependency(\.alertClient) var alertClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.move(to: position)

    case .opened(let id):
      state.opened = id
      state.scrollOffset = 0
      guard let item = state.openedNotification, !item.isRead else { return .none }
      return change { client throws(ClientError) in try await client.markAsRead(item.id) }

    case .scrolled(let offset): state.scrollOffset = offset
    case .closeButtonTapped: state.opened = nil
    case .topicSelected(let topic): state.keepingSelection { $0.filter.topic = topic }
    case .topicButtonTapped: state.keepingSelection { $0.filter.topic = $0.filter.nextTopic }
    case .unreadButtonTapped: state.keepingSelection { $0.filter.isUnreadOnly.toggle() }
    case .search(let action): state.keepingSelection { $0.search.apply(action) }

    case .readButtonTapped:
      guard let item = state.selectedNotification, !item.isRead else { return .none }
      return change { client throws(ClientError) in try await client.markAsRead(item.id) }

    case .allReadButtonTapped:
      return change(retry: .allReadButtonTapped) { client throws(ClientError) in
        try await client.markAllAsRead()
      }

    case .deleteButtonTapped:
      guard let item = state.selectedNotification else { return .none }
      return change { client throws(ClientError) in try await client.delete(item.id) }

    case .clearButtonTapped:
      if !state.snapshot.notifications.isEmpty { state.question = .clear }

    case .clearConfirmed:
      state.question = nil
      return change(retry: .clearConfirmed) { client throws(ClientError) in
        try await client.clearAll()
      }

    case .drillButtonTapped:
      if state.snapshot.activeAlerts.contains(where: { $0.alert.kind != .drill }) {
        state.failure = Failure(ClientError.alertIsOn.text)
      } else {
        state.question = .drill
      }

    case .drillConfirmed:
      state.question = nil
      return .request(Action.drillBegun, or: { .failed($0.text, retry: .drillConfirmed) }) {
        () throws(ClientError) in
        try await alertClient.drill()
      }

    case .endDrillButtonTapped:
      return .run { [alertClient] send in
        do throws(ClientError) {
          _ = try await alertClient.endDrill()
        } catch ClientError.alertNotActive {
          // It has already ended.
        } catch {
          await send(.failed(error.text, retry: .endDrillButtonTapped))
        }
      }

    case .drillBegun:
      // AppFeature starts a monitor to send the messages.
      break

    case .questionCancelled: state.question = nil
    case .replyButtonTapped: break
    case .failed(let error, let retry): state.failure = Failure(error, retry: retry)
    case .failureDismissed: state.failure = nil
    }
    return .none
  }

  /// Requests a change to the notifications. The list updates with the next snapshot.
  /// - Parameter retry: The action that repeats it, or `nil` if the selected row's key does.
  private func change(
    retry: Action? = nil,
    _ operation:
      @escaping @Sendable (NotificationClient) async throws(ClientError) -> Void
  ) -> Effect<Action> {
    .request(or: { .failed($0.text, retry: retry) }) { () throws(ClientError) in
      try await operation(notificationClient)
    }
  }
}

extension NotificationFilter {
  /// The topic after this one, in a cycle that includes `nil` for all topics.
  fileprivate var nextTopic: NotificationItem.Topic? {
    let topics = NotificationItem.Topic.allCases
    guard let topic, let index = topics.firstIndex(of: topic) else { return topics.first }
    return index + 1 < topics.count ? topics[index + 1] : nil
  }
}

extension AlertsFeature: SheetPresenter {
  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    guard action == .replyButtonTapped else { return .none }
    return .opening(OpenSheet(ReplyFeature.self, .init()))
  }
}
