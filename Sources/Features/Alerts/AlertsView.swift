import Composable
import Domain
import FoundationEssentials
import Terminal

/// The active alerts and the history.
struct AlertsView: View {
  let store: StoreOf<AlertsFeature>

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    let rows = store.rows
    VStack(spacing: 0) {
      if let failure = store.failure {
        ErrorView(failure, store, dismiss: .failureDismissed)
      }
      TopicLine(store: store)
      List(
        rows, position: store.position, isFocused: !store.search.isEditing,
        onMove: { store.send(.moved($0)) }, onOpen: { store.send(.opened($0.id)) }
      ) { row, _ in
        HistoryRowView(row, in: snapshot)
      } empty: {
        empty
      }
      .keepingRows()
      .frame(maxWidth: .max, maxHeight: .max)
      .filterable(by: store.search, prompt: "a word of it") { store.send(.search($0)) }
    }
    .border(
      title: "Alerts", footer: rows.isEmpty ? nil : "\(store.position.selected + 1)/\(rows.count)"
    )
    // During an alert this comes first, so that a person who has a code read to them finds it at
    // once.
    .commandIf(
      !snapshot.activeAlerts.isEmpty, "e", "Enter code", fullTitle: "Enter a responder's code"
    ) {
      store.send(.replyButtonTapped)
    }
    .commandIf(!rows.isEmpty && !store.search.isEditing, "enter", "Open") {
      store.send(.opened(rows[min(store.position.selected, rows.count - 1)].id))
    }
    .command("f", "Next topic", fullTitle: "Show the next topic of alerts") {
      store.send(.topicButtonTapped)
    }
    .command(
      "u", store.filter.isUnreadOnly ? "Read ones too" : "Unread only",
      fullTitle: store.filter.isUnreadOnly ? "Show read alerts too" : "Show unread alerts only"
    ) {
      store.send(.unreadButtonTapped)
    }
    .commandIf(
      store.selectedNotification?.isRead == false, "r", "Mark read",
      fullTitle: "Mark the alert as read",
      isAboutSelection: true
    ) {
      store.send(.readButtonTapped)
    }
    .commandIf(snapshot.unreadCount > 0, "a", "All read", fullTitle: "Mark all alerts as read") {
      store.send(.allReadButtonTapped)
    }
    .commandIf(
      store.selectedNotification != nil, "d", "Delete",
      fullTitle: "Delete the alert from the history",
      isAboutSelection: true
    ) {
      store.send(.deleteButtonTapped)
    }
    .commandIf(
      !snapshot.notifications.isEmpty, "c", "Clear all", fullTitle: "Clear the history of alerts"
    ) {
      store.send(.clearButtonTapped)
    }
    .command(
      "t", store.activeDrill == nil ? "Drill" : "End drill",
      fullTitle: store.activeDrill == nil ? "Rehearse an alert" : "End the drill",
      keywords: ["test", "rehearse", "practice"]
    ) {
      store.send(store.activeDrill == nil ? .drillButtonTapped : .endDrillButtonTapped)
    }
    .commandIf(
      snapshot.activeAlerts.isEmpty, "e", "Enter code", fullTitle: "Enter a responder's code"
    ) {
      store.send(.replyButtonTapped)
    }
    .overlay {
      if store.opened != nil { HistoryDetailsView(store: store) }
    }
    .overlay {
      if let question = store.question { dialog(question) }
    }
  }

  @ViewBuilder private var empty: some View {
    if snapshot.notifications.isEmpty {
      VStack(alignment: .center) {
        Text("Nothing has happened so far.")
        Text("Press ! five times to raise an alert, or t to rehearse one.").foreground(.dim)
      }
    } else {
      Text("Nothing of this kind.").foreground(.dim)
    }
  }

  private func dialog(_ question: AlertsFeature.Question) -> some View {
    let cancel = DialogButton("Not now", key: "esc") { store.send(.questionCancelled) }
    return switch question {
    case .clear:
      Dialog(
        title: "Clear the history?",
        message: "All notifications are deleted. Alerts that are on stay on.",
        buttons: [
          cancel,
          DialogButton("Clear", key: "y", role: .danger) { store.send(.clearConfirmed) },
        ])
    case .drill:
      Dialog(
        title: "Rehearse an alert?",
        message: """
          Every responder is sent a message marked DRILL now, and another when it is over. You \
          see who was sent it and how fast. You can raise a real alert during a drill.
          """,
        buttons: [
          cancel, DialogButton("Begin", key: "y") { store.send(.drillConfirmed) },
        ])
    }
  }
}

/// A row with an alert that is on, or with a notification.
private struct HistoryRowView: View, Equatable {
  private let row: HistoryRow
  private let time: String

  init(_ row: HistoryRow, in snapshot: AccountSnapshot) {
    self.row = row
    time = snapshot.calendar.describe(row.date, now: snapshot.now).capitalizedFirst
  }

  var body: some View {
    switch row {
    case .alert(let report): alertRow(report)
    case .notification(let item): notificationRow(item)
    }
  }

  private func alertRow(_ report: AlertReport) -> some View {
    let alert = report.alert
    let isDrill = alert.kind == .drill
    return HStack(spacing: 1) {
      Text(alert.mark).foreground(isDrill ? .warning : .danger).frame(width: 1)
      Text(time).frame(width: 16, alignment: .trailing)
      // The column in which notifications show that they are unread.
      Text("").frame(width: 1)
      Text(alert.title).bold().frame(width: 15, alignment: .leading)
      Text(alert.message.isEmpty ? "" : "“\(alert.message)”").frame(
        maxWidth: .max, alignment: .leading)
      Text(report.acknowledged ?? "ON").foreground(
        report.acknowledged == nil ? (isDrill ? .warning : .danger) : .calm)
    }
    .lineLimit(1).padding(.trailing, 1)
  }

  private func notificationRow(_ item: NotificationItem) -> some View {
    HStack(spacing: 1) {
      Text(item.mark).foreground(item.role).frame(width: 1)
      Text(time).foreground(item.isRead ? .dim : .text).frame(width: 16, alignment: .trailing)
      Text(item.isRead ? "" : "•").bold().frame(width: 1)
      Group { if item.isRead { Text(item.title) } else { Text(item.title).bold() } }
        .layoutPriority(1)
      Text(item.remark.isEmpty ? "" : "· \(item.remark)").foreground(.dim)
        .frame(maxWidth: .max, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }
}

/// The topics of the history, with the chosen one marked.
private struct TopicLine: View {
  let store: StoreOf<AlertsFeature>

  var body: some View {
    HStack(spacing: 2) {
      topic(nil, "All")
      ForEach(NotificationItem.Topic.allCases, id: \.self) { topic($0, $0.title) }
      Spacer()
      if store.filter.isUnreadOnly { Text("unread only").foreground(.accent) }
    }
    .lineLimit(1).padding(.horizontal, 1)
  }

  private func topic(_ topic: NotificationItem.Topic?, _ title: String) -> some View {
    let isChosen = store.filter.topic == topic
    return Text(isChosen ? "▸\(title)" : " \(title)").foreground(isChosen ? .accent : .dim)
      .onTap { store.send(.topicSelected(topic)) }
  }
}

/// The sheet about a notification, with the result of every message of its alert (ALT-3).
struct HistoryDetailsView: View {
  let store: StoreOf<AlertsFeature>

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    // Leave the tab bar and the help bar visible.
    Sheet(
      store.openedReport?.alert.title ?? store.openedNotification?.title ?? "Gone", width: 74,
      rowsAround: 1
    ) {
      ScrollView(
        offset: store.scrollOffset, isFocused: true, hugsContent: true,
        onScroll: { store.send(.scrolled($0)) }
      ) { content }
      .padding(.horizontal, 1)
    }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .commandIf(store.openedReport.map { $0.id == store.activeDrill?.id } ?? false, "t", "End drill")
    {
      store.send(.endDrillButtonTapped)
    }
    .command("enter", "Close", isHidden: true) { store.send(.closeButtonTapped) }
  }

  private var content: some View {
    VStack(alignment: .leading, spacing: 0) {
      if let item = store.openedNotification {
        LabeledContent("when", value: exact(item.date))
        if !item.remark.isEmpty {
          Text("")
          Text(item.remark)
        }
        if store.openedReport != nil { Text("") }
      }
      if let report = store.openedReport { details(of: report) }
    }
  }

  @ViewBuilder private func details(of report: AlertReport) -> some View {
    LabeledContent("raised", value: exact(report.alert.raisedAt))
    LabeledContent("ended", value: end(of: report.alert))
    if !report.alert.message.isEmpty { LabeledContent("message", value: report.alert.message) }
    ForEach(report.alert.acknowledgements, id: \.responder) {
      LabeledContent("acknowledged", value: "by \($0.name), \(exact($0.date))")
    }
    ForEach(report.withdrawals, id: \.responder) {
      LabeledContent("withdrawn", value: "by \($0.name), \(exact($0.date))")
    }
    if let wait = report.waitText(in: snapshot) { LabeledContent("now", value: wait) }
    Text("")
    if let summary = store.openedMessages.drillSummary {
      Text(summary)
      if report.alert.isActive {
        Text("It is on until each message was sent or refused. t ends it now.").foreground(.warning)
      }
      Text("")
    }
    if report.deliveries.isEmpty {
      Text(
        snapshot.hasNoResponders ? "There was nobody to notify." : "No message has been sent yet."
      ).foreground(.dim)
    }
    let messages = store.openedMessages
    ForEach(messages.first, id: \.id) { DeliveryLine(delivery: $0, snapshot: snapshot) }
    if messages.count > messages.first.count {
      Text("and \(messages.count - messages.first.count) more").foreground(.dim)
    }
  }

  private func end(of alert: Alert) -> String {
    switch alert.state {
    case .active, .acknowledged: "still on"
    case .resolved(.cancelled, let date): "\(exact(date)), by you"
    case .resolved(.checkIn, let date): "\(exact(date)), by your check-in"
    case .resolved(.finished, let date): exact(date)
    }
  }

  private func exact(_ date: Date) -> String {
    snapshot.calendar.describe(date, now: snapshot.now)
  }
}

extension Alert {
  var title: String {
    switch kind {
    case .manual: "Raised by hand"
    case .missed: "Missed deadline"
    case .outing: "Not back"
    case .duress: "Silent alert"
    case .drill: "Drill"
    }
  }

  var mark: String {
    switch kind {
    case .manual, .duress: "!"
    case .missed, .outing: "▲"
    case .drill: "◌"
    }
  }
}

extension AlertReport {
  /// Who is responding to it (ESC-2), or `nil`.
  var acknowledged: String? {
    let names = alert.acknowledgements.map(\.name)
    return names.isEmpty ? nil : "ON · \(names.joined(separator: ", ")) responding"
  }
}
