import Clients
import Composable
import Domain
import Terminal

/// The sheet with the error log.
struct ErrorLogFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The entries, newest first, or `nil` until they are loaded.
    var entries: [LogEntry]?
    var level = LogLevel.info
    /// Whether each error is shown once, with a count.
    var isCounting = false
    var position = ListPosition(selected: 0)

  }

  enum Action: Codable, Equatable, Sendable {
    case appeared
    /// The key for the next level was pressed.
    case levelButtonTapped
    case countButtonTapped
    case read([LogEntry])
    case moved(ListPosition)
    case closeButtonTapped
  }

  /// The largest number of entries shown.
  static let limit = 500

  private enum CancelID: Hashable, Sendable { case reading }

  @Dependency(\.errorLogger) var errorLogger

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared: return read(from: state.level)
    case .levelButtonTapped:
      // Entries below `info` aren't kept.
      state.level = state.level == .error ? .info : state.level == .info ? .warning : .error
      state.position = ListPosition(selected: 0)
      return read(from: state.level)
    case .countButtonTapped:
      state.isCounting.toggle()
      state.position = ListPosition(selected: 0)
    case .read(let entries): state.entries = entries
    case .moved(let position): state.position = position
    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }

  private func read(from level: LogLevel) -> Effect<Action> {
    .run { [errorLogger] send in
      await send(.read(await errorLogger.entries(level, Self.limit)))
    }
    .cancellable(id: CancelID.reading, cancelInFlight: true)
  }
}

/// The sheet with the error log, newest first.
struct ErrorLogView: View {
  let store: StoreOf<ErrorLogFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    SizeReader { size in
      Sheet("Error log · \(store.level.title)", width: 76) {
        VStack(alignment: .leading, spacing: 0) {
          lines.frame(height: min(max(1, count), max(1, size.rows - 10)))
          Text("")
          Text(
            "Errors in the program, without names, numbers or notes. A message that wasn't sent is in the"
              + " log of its channel: c on Profile, then l."
          )
          .foreground(.dim)
        }
        .padding(.horizontal, 1)
      }
      .command("f", "Next level") { store.send(.levelButtonTapped) }
      .command("c", store.isCounting ? "One by one" : "Counts") {
        store.send(.countButtonTapped)
      }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
    }
  }

  private var count: Int {
    (store.isCounting ? store.entries?.counts.count : store.entries?.count) ?? 1
  }

  @ViewBuilder private var lines: some View {
    if let entries = store.entries, store.isCounting {
      List(entries.counts, position: store.position, onMove: { store.send(.moved($0)) }) {
        count, _ in
        row(count)
      } empty: {
        Text("No errors in the program.").foreground(.dim)
      }
    } else if let entries = store.entries {
      List(
        Array(entries.enumerated()), position: store.position, onMove: { store.send(.moved($0)) }
      ) { line, _ in
        row(line.element)
      } empty: {
        Text("No errors in the program.").foreground(.dim)
      }
    } else {
      ProgressView("Reading")
    }
  }

  private func row(_ count: LogCount) -> some View {
    HStack(spacing: 1) {
      Text(count.level.mark).foreground(count.level.role).frame(width: 1)
      Text("\(count.count) ×").frame(width: 6, alignment: .trailing)
      Text(count.code).frame(width: 22, alignment: .leading)
      Text("last \(snapshot.calendar.describe(count.last, now: snapshot.now))").foreground(.dim)
        .frame(maxWidth: .max, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }

  private func row(_ entry: LogEntry) -> some View {
    HStack(spacing: 1) {
      Text(entry.level.mark).foreground(entry.level.role).frame(width: 1)
      Text(snapshot.calendar.describe(entry.timestamp, now: snapshot.now).capitalizedFirst)
        .foreground(.dim).frame(width: 16, alignment: .leading)
      Text(entry.code).frame(width: 22, alignment: .leading)
      Text(entry.context.function).foreground(.dim).frame(maxWidth: .max, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }
}

extension LogLevel {
  fileprivate var title: String {
    switch self {
    case .debug, .info: "all"
    case .warning: "warnings and errors"
    case .error, .critical: "errors"
    }
  }

  fileprivate var mark: String {
    switch self {
    case .debug, .info: "·"
    case .warning: "◐"
    case .error, .critical: "✗"
    }
  }

  fileprivate var role: ThemeRole {
    switch self {
    case .debug, .info: .dim
    case .warning: .warning
    case .error, .critical: .danger
    }
  }
}

extension ErrorLogFeature: SheetFeature {
  static let element = pathElement { ErrorLogFeature() }

  static func opened(_: State) -> Action? { .appeared }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ErrorLogView(store: store, snapshot: snapshot)
  }
}

extension ErrorLogFeature.State: SheetState {}
