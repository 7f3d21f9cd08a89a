import Composable
import ComposableFoundation

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
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .sendEffect: return .send(.increment)
      case .runEffect: return .run { send in await send(.increment) }
      }
    }
  }
}

/// Runs one effect after another: each action starts an effect that sends the next.
struct Chain: Reducer {
  func reduce(into state: inout Int, action left: Int) -> Effect<Int> {
    state += 1
    return left == 0 ? .none : .run { send in await send(left - 1) }
  }
}

/// Reads dependencies, many times per action.
struct Reader: Reducer {
  enum Action: Sendable {
    case readUUID(times: Int)
    case readClient(times: Int)
  }

  @Dependency(\.uuid) var uuid
  @Dependency(\.numberClient) var numberClient

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .readUUID(let times): for _ in 0..<times { _ = uuid }
    case .readClient(let times): for _ in 0..<times { _ = numberClient }
    }
    return .none
  }
}

/// A typical client: closures, with a key in its own module.
struct NumberClient: DependencyKey {
  var number: @Sendable () -> Int
  var double: @Sendable (Int) -> Int

  static let liveValue = Self(number: { 1 }, double: { 2 * $0 })
  static let testValue = liveValue
}

extension DependencyValues {
  var numberClient: NumberClient {
    get { self[NumberClient.self] }
    set { self[NumberClient.self] = newValue }
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

extension List {
  /// Returns a state with this many rows.
  static func state(rows: Int) -> State {
    var state = State()
    for id in 0..<rows { state.rows.append(Leaf.State(id: id)) }
    return state
  }
}
