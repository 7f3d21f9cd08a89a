import Clients
import Composable
import Terminal

/// The sheet with what went wrong lately.
struct ErrorLogFeature: Reducer {
  struct State: Equatable, Sendable {
    /// Newest first; `nil` until they are read.
    var entries: [LogEntry]?
    var level = LogLevel.info
    /// Whether each error stands once, with how often it was met.
    var isCounting = false
    var position = ListPosition(selected: 0)

  }

  enum Action: Codable, Equatable, Sendable {
    case appeared
    /// The next of the levels.
    case levelButtonTapped
    case countButtonTapped
    case read([LogEntry])
    case moved(ListPosition)
    case closeButtonTapped
  }

  /// How many lines are shown.
  static let limit = 500

  private enum CancelID: Hashable, Sendable { case reading }

  @Dependency(\.errorLogger) var errorLogger
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return read(from: state.level)
    case .levelButtonTapped:
      // Nothing less than that is kept.
      state.level = state.level == .error ? .info : state.level == .info ? .warning : .error
      state.position = ListPosition(selected: 0)
      return read(from: state.level)
    case .countButtonTapped:
      state.isCounting.toggle()
      state.position = ListPosition(selected: 0)
      return .none
    case .read(let entries):
      state.entries = entries
      return .none
    case .moved(let position):
      state.position = position
      return .none
    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }

  private func read(from level: LogLevel) -> Effect<Action> {
    .run { [errorLogger] send in
      await send(.read(await errorLogger.entries(level, Self.limit)))
    }
    .cancellable(id: CancelID.reading, cancelInFlight: true)
  }
}
