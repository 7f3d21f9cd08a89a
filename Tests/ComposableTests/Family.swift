import Composable

/// A parent with one child of each kind.
struct Family: Reducer {
  struct State: Equatable, Sendable {
    var first = Worker.State()
    var second = Worker.State()
    var optional: Worker.State?
    var either: Either.State?
    @Presents var sheet: PlainWorker.State?
    var rows: IdentifiedArrayOf<Worker.State> = []
    var path: StackState<Worker.State> = []
  }

  enum Action: Sendable {
    case first(Worker.Action)
    case second(Worker.Action)
    case optional(Worker.Action)
    case either(Either.Action)
    case sheet(PresentationAction<Worker.Action>)
    case rows(IdentifiedActionOf<Worker>)
    case path(StackActionOf<Worker>)
    /// Changes the state in the parent.
    case change(@Sendable (inout State) -> Void)
    /// Works for a second, with the same cancellation id as the children.
    case startWork
    case cancelWork

    static let firstCase = CasePath(Self.first) { if case .first(let it) = $0 { it } else { nil } }
    static let secondCase = CasePath(Self.second) {
      if case .second(let it) = $0 { it } else { nil }
    }
    static let optionalCase = CasePath(Self.optional) {
      if case .optional(let it) = $0 { it } else { nil }
    }
    static let eitherCase = CasePath(Self.either) {
      if case .either(let it) = $0 { it } else { nil }
    }
    static let sheetCase = CasePath(Self.sheet) { if case .sheet(let it) = $0 { it } else { nil } }
    static let rowsCase = CasePath(Self.rows) { if case .rows(let it) = $0 { it } else { nil } }
    static let pathCase = CasePath(Self.path) { if case .path(let it) = $0 { it } else { nil } }
  }

  @Dependency(\.continuousClock) var clock

  /// Runs before the children on each action.
  var before: @Sendable (inout State, Action) -> Void = { _, _ in }
  /// Runs after the children and the operators on each action.
  var after: @Sendable (inout State, Action) -> Void = { _, _ in }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      before(&state, action)
      return .none
    }
    Scope(state: \.first, action: Action.firstCase) { Worker() }
    Scope(state: \.second, action: Action.secondCase) { Worker() }
    Reduce { state, action in
      switch action {
      case .change(let change): change(&state)
      case .startWork:
        return .run { [clock] _ in try await clock.sleep(for: .seconds(1)) }
          .cancellable(id: Worker.CancelID.work)
      case .cancelWork: return .cancel(id: Worker.CancelID.work)
      default: break
      }
      return .none
    }
    .ifLet(\.optional, action: Action.optionalCase) { Worker() }
    .ifLet(\.either, action: Action.eitherCase) { Either() }
    .ifLet(\.$sheet, action: Action.sheetCase) { PlainWorker() }
    .forEach(\.rows, action: Action.rowsCase) { Worker() }
    .forEach(\.path, action: Action.pathCase) { Worker() }
    Reduce { state, action in
      after(&state, action)
      return .none
    }
  }
}
