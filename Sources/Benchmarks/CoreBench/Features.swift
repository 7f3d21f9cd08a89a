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
