import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The check-ins of the last year as a calendar, figures and a list (CHK-5).
struct HistoryFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// The check-ins, newest first. Only the latest until the year is loaded.
    private(set) var checkIns: [CheckIn]
    var request = Request<Action>(isRunning: true)
    var position = ListPosition()

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      checkIns = snapshot.history
    }

    /// Shows a new snapshot, adding check-ins made elsewhere.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      join(checkIns)
    }

    /// Appends older check-ins to those in the snapshot.
    fileprivate mutating func join(_ older: [CheckIn]) {
      let oldest = snapshot.history.last?.sequence ?? .max
      checkIns = snapshot.history + older.filter { $0.sequence < oldest }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case loaded([CheckIn])
    case loadFailed(ClientError)
    case retryButtonTapped
    case failureDismissed
    case moved(ListPosition)
    case closeButtonTapped
  }

  @Dependency(\.checkInClient) var checkInClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened, .retryButtonTapped:
      state.request.begin()
      let start = state.snapshot.now - CheckInRecord.length
      return .request(Action.loaded, or: Action.loadFailed) { () throws(ClientError) in
        try await checkInClient.historySince(start)
      }
      .holdingDismissal(false)

    case .loaded(let checkIns):
      state.request.end()
      state.join(checkIns)

    case .loadFailed(let error):
      state.request.fail(error.text, retry: .retryButtonTapped)

    case .failureDismissed: state.request.failure = nil
    case .moved(let position): state.position = position
    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The calendar, the figures and the list of the last year's check-ins.
struct HistoryView: View {
  let store: StoreOf<HistoryFeature>

  /// The rows of the list while it is being read, so that the sheet hardly moves.
  private static let leastRows = 10

  var body: some View {
    Sheet("Check-ins of the last year", width: 76, rowsAround: 1) {
      VStack(alignment: .leading, spacing: 0) {
        RecordCalendar(snapshot: store.snapshot).keeping()
        Text(store.snapshot.recordText(isLong: true)).foreground(.dim).lineLimit(2)
        Text("")
        RequestView(
          store.request, store, progress: "Reading the year", dismiss: .failureDismissed)
        List(
          store.checkIns, position: store.position, onMove: { store.send(.moved($0)) },
          row: { checkIn, _ in CheckInRow(checkIn: checkIn, snapshot: store.snapshot) },
          empty: { Text("None yet: your first deadline started when you began.").foreground(.dim) }
        )
        .keepingRows()
        .frame(minHeight: 1, maxHeight: max(Self.leastRows, store.checkIns.count))
      }
      .padding(.horizontal, 1)
    }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }
}

/// The last year with a column for each week: filled for days whose check-ins were on time, hollow
/// for days with a late one.
struct RecordCalendar: View, Equatable {
  private let marks: [CheckInRecord.Mark?]
  private let text: String

  init(snapshot: AccountSnapshot) {
    marks = snapshot.record.year(endingOn: snapshot.now, calendar: snapshot.calendar)
    text = snapshot.recordText(isLong: true)
  }

  var body: some View {
    Heatmap(
      rows: ["Mon", "", "Wed", "", "Fri", "", ""],
      cells: marks.map { mark in
        switch mark {
        case .onTime: .filled(.calm)
        case .late: .hollow(.danger)
        case nil: .none
        }
      }
    )
    .accessibilityLabel(text)
  }
}

/// A row with a check-in's time, its source and the time that was left.
struct CheckInRow: View, Equatable {
  private let checkIn: CheckIn
  // Texts, not the calendar: the zone of this machine can change.
  private let day: String
  private let clock: String
  /// When it was received, if that was noticeably later than it was made (OFF-3).
  private var received = ""

  init(checkIn: CheckIn, snapshot: AccountSnapshot) {
    self.checkIn = checkIn
    day = snapshot.calendar.dayName(of: checkIn.date, now: snapshot.now).capitalizedFirst
    clock = snapshot.calendar.time(of: checkIn.date).clock
    if let date = checkIn.receivedAt, date.timeIntervalSince(checkIn.date) >= 120 {
      received = ", received \(snapshot.clock(date))"
    }
  }

  var body: some View {
    HStack(spacing: 1) {
      Text(day).frame(width: 11, alignment: .leading)
      Text(clock).frame(width: 5, alignment: .leading)
      Text(checkIn.source.displayText + received).foreground(.dim).frame(
        maxWidth: .max, alignment: .leading)
      margin.layoutPriority(1)
    }
    .lineLimit(1)
  }

  private var margin: Text {
    let text = Text(checkIn.marginText)
    guard let margin = checkIn.margin else { return text.foreground(.dim) }
    return margin < .zero ? text.foreground(.danger) : text
  }
}

extension AccountSnapshot {
  /// The figures of the last year.
  func recordText(isLong: Bool) -> String {
    var parts: [String] = []
    let days = record.streak(of: user.deadline, at: now)
    if days > 0 { parts.append("not late for \(days) day\(days == 1 ? "" : "s")") }
    if let median = record.medianMargin {
      parts.append("usually \(median.shortDescription) \(median < .zero ? "late" : "left")")
    }
    if isLong, let closest = record.closestCall, let margin = closest.margin {
      let day = calendar.dayName(of: closest.date, now: now)
      parts.append("closest \(margin.shortDescription), \(day)")
    }
    return parts.joined(separator: " · ")
  }
}

extension HistoryFeature: SheetFeature {
  static let element = pathElement { HistoryFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    HistoryView(store: store)
  }
}

extension HistoryFeature.State: SheetState {}
