import Composable
import Domain
import FoundationEssentials
import Terminal

/// The active alert and the history.
struct AlertsView: View {
  let store: StoreOf<AlertsFeature>

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    VStack(spacing: 0) {
      List(
        snapshot.alerts, position: store.position, isFocused: true,
        onMove: { store.send(.moved($0)) }, onOpen: { store.send(.opened($0.id)) }
      ) { report, _ in
        row(report)
      } empty: {
        VStack(alignment: .center) {
          Text("No alerts so far.")
          Text("Press ! five times to raise one; a missed deadline raises one by itself.")
            .foreground(.dim)
        }
      }
      .frame(maxWidth: .max, maxHeight: .max)
      .border(
        title: "Alerts", footer: snapshot.alerts.isEmpty ? nil : "\(snapshot.alerts.count)")
    }
    .overlay {
      if let report = store.openedReport { AlertDetailsView(store: store, report: report) }
    }
  }

  private func row(_ report: AlertReport) -> some View {
    let alert = report.alert
    return HStack(spacing: 1) {
      Text(alert.isActive ? alert.mark : "·")
        .foreground(alert.isActive ? .danger : .dim).frame(width: 1)
      Text(snapshot.calendar.describe(alert.raisedAt, now: snapshot.now).capitalizedFirst)
        .frame(width: 16, alignment: .leading)
      Text(alert.title).frame(width: 15, alignment: .leading)
      Text(alert.message.isEmpty ? "" : "“\(alert.message)”").frame(
        maxWidth: .max, alignment: .leading)
      Text(alert.ending(in: snapshot)).foreground(alert.isActive ? .danger : .dim)
    }
    .lineLimit(1).padding(.trailing, 1)
  }
}

/// The sheet with what has become of every message of an alert (ALT-3).
struct AlertDetailsView: View {
  let store: StoreOf<AlertsFeature>
  let report: AlertReport

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    SizeReader { size in
      Sheet(report.alert.title, width: 74) {
        ScrollView(
          offset: store.scrollOffset, isFocused: true, onScroll: { store.send(.scrolled($0)) }
        ) { content }
        // The sheet's lines, the tab line and the help bar stay in sight.
        .frame(height: min(contentRows, max(1, size.rows - 6)))
        .padding(.horizontal, 1)
      }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
      .command("enter", "Close", isHidden: true) { store.send(.closeButtonTapped) }
    }
  }

  private var contentRows: Int {
    let errors = report.deliveries.count { $0.error != nil && $0.state != .sent }
    return (report.alert.message.isEmpty ? 3 : 4) + max(1, report.deliveries.count) + 2 * errors
  }

  private var content: some View {
    VStack(alignment: .leading, spacing: 0) {
      DetailLine("raised", exact(report.alert.raisedAt))
      DetailLine(
        "ended", report.alert.resolvedAt.map { exact($0) } ?? "still on")
      if !report.alert.message.isEmpty { DetailLine("message", report.alert.message) }
      Text("")
      if report.deliveries.isEmpty {
        Text(
          snapshot.responders.isEmpty
            ? "There was nobody to tell." : "No message has been sent yet."
        ).foreground(.dim)
      }
      ForEach(report.deliveries, id: \.id) { DeliveryLine(delivery: $0, snapshot: snapshot) }
    }
  }

  private func exact(_ date: Date) -> String {
    snapshot.calendar.describe(date, now: snapshot.now)
  }
}

/// One message: to whom, by which channel, how far it has come.
struct DeliveryLine: View {
  let delivery: DeliveryReport
  let snapshot: AccountSnapshot
  /// Where every line is about the same stage it need not be said.
  var showsStage = true

  var body: some View {
    let clock = snapshot.calendar.time(of: delivery.date).clock
    VStack(alignment: .leading, spacing: 0) {
      HStack(spacing: 1) {
        Text(delivery.mark).foreground(delivery.role).frame(width: 1)
        Text(delivery.recipient).frame(width: 22, alignment: .leading)
        if showsStage {
          Text(delivery.stage.title).foreground(.dim).frame(width: 16, alignment: .leading)
        }
        switch delivery.state {
        case .sent: Text("✉ sent \(clock)")
        case .pending where snapshot.hindrance != nil: Text("✉ waits")
        case .pending where delivery.error == nil: Text("✉ on its way")
        case .pending: Text("✉ trying again \(clock)")
        case .failed: Text("✉ refused \(clock)")
        case .cancelled: Text("✉ not needed any more")
        }
      }
      .lineLimit(1)
      if let error = delivery.error, delivery.state != .sent {
        Text("  \(error)").foreground(.warning)
      }
    }
  }
}

/// A label and its value, as detail sheets show them.
struct DetailLine: View {
  let label: String
  let value: String

  init(_ label: String, _ value: String) {
    self.label = label
    self.value = value
  }

  var body: some View {
    HStack(alignment: .top, spacing: 2) {
      Text(label).foreground(.dim).frame(width: 14, alignment: .leading)
      Text(value).frame(maxWidth: .max, alignment: .leading)
    }
  }
}

extension Alert {
  var title: String {
    switch kind {
    case .manual: "Raised by hand"
    case .missed: "Missed deadline"
    case .duress: "Silent alert"
    case .drill: "Drill"
    }
  }

  var mark: String { kind == .manual ? "!" : "▲" }

  func ending(in snapshot: AccountSnapshot) -> String {
    guard let resolvedAt else { return "ON" }
    return "ended \(snapshot.calendar.describe(resolvedAt, now: snapshot.now))"
  }
}

extension DeliveryReport {
  var mark: String {
    switch state {
    case .sent: "✓"
    case .pending: "…"
    case .failed: "✗"
    case .cancelled: "–"
    }
  }

  var role: ThemeRole {
    switch state {
    case .sent: .calm
    case .pending: error == nil ? .dim : .warning
    case .failed: .danger
    case .cancelled: .dim
    }
  }
}

extension Stage {
  var title: String {
    switch self {
    case .reminder: "reminder"
    case .pauseEnds: "pause ends"
    case .deadlinePassed: "deadline passed"
    case .nonResponsive: "non-responsive"
    case .allClear: "all clear"
    case .alertOn: "alert"
    case .alertOff: "alert over"
    case .accountDeleted: "account deleted"
    case .passwordReset: "new password"
    }
  }
}
