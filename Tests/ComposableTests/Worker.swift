import Composable

/// A child that works for one second and then sends an action.
struct Worker: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    var id = 0
    var done = 0
  }

  enum Action: Equatable, Sendable {
    case startButtonTapped
    case cancelButtonTapped
    case closeButtonTapped
    case worked
  }

  enum CancelID { case work }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .startButtonTapped:
        return .run { [clock] send in
          try await clock.sleep(for: .seconds(1))
          await send(.worked)
        }
        .cancellable(id: CancelID.work)
      case .cancelButtonTapped: return .cancel(id: CancelID.work)
      case .closeButtonTapped: return .run { [dismiss] _ in await dismiss() }
      case .worked:
        state.done += 1
        return .none
      }
    }
  }
}

/// A worker without an `id`.
struct PlainWorker: Reducer {
  struct State: Equatable, Sendable {
    var worker = Worker.State()
  }

  typealias Action = Worker.Action

  var body: some ReducerOf<Self> {
    Scope(state: \.worker, action: CasePath({ $0 }, { $0 })) { Worker() }
  }
}

/// One of two workers, as an enum.
struct Either: Reducer {
  enum State: Equatable, Sendable {
    case left(PlainWorker.State)
    case right(PlainWorker.State)

    static let leftCase = CasePath(Self.left) { if case .left(let it) = $0 { it } else { nil } }
    static let rightCase = CasePath(Self.right) { if case .right(let it) = $0 { it } else { nil } }
  }

  enum Action: Equatable, Sendable {
    case left(Worker.Action)
    case right(Worker.Action)

    static let leftCase = CasePath(Self.left) { if case .left(let it) = $0 { it } else { nil } }
    static let rightCase = CasePath(Self.right) { if case .right(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: State.leftCase, action: Action.leftCase) { PlainWorker() }
    Scope(state: State.rightCase, action: Action.rightCase) { PlainWorker() }
  }
}
