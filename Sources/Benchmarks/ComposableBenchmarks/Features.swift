import Composable

/// A counter, the smallest feature.
struct Leaf: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    var id = 0
    var count = 0
  }

  enum Action: Sendable {
    case increment
    case sendEffect
    case runEffect
    case readDependency
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .sendEffect: return .send(.increment)
      case .runEffect: return .run { send in await send(.increment) }
      case .readDependency:
        for _ in 0..<100 { _ = uuid }
        return .none
      }
    }
  }
}

/// A feature around another: as a part, or as an optional that may be presented.
struct Nest<Child: Reducer>: Reducer where Child.State: Sendable {
  struct State: Sendable {
    var child: Child.State
    var other = 0
  }

  enum Action: Sendable {
    case child(Child.Action)
    case other

    static var childCase: CasePath<Self, Child.Action> {
      CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
    }
  }

  let child: Child

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { child }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}

struct Presenter<Child: Reducer>: Reducer where Child.State: Sendable {
  struct State: Sendable {
    @Presents var child: Child.State?
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Child.Action>)
    case other

    static var childCase: CasePath<Self, PresentationAction<Child.Action>> {
      CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
    }
  }

  let child: Child

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { child }
  }
}

struct List: Reducer {
  struct State: Sendable {
    var rows: IdentifiedArrayOf<Leaf.State> = []
  }

  enum Action: Sendable {
    case rows(IdentifiedActionOf<Leaf>)

    static let rowsCase = CasePath(Self.rows) { if case .rows(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.rows, action: Action.rowsCase) { Leaf() }
  }
}
