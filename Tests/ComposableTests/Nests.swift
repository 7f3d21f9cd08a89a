import Composable

/// A child that has a child itself.
struct Nest: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    var id = 0
    var inner: Worker.State? = .init()
  }

  enum Action: Equatable, Sendable {
    case inner(Worker.Action)
    case removeButtonTapped

    static let innerCase = CasePath(Self.inner) { if case .inner(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if action == .removeButtonTapped { state.inner = nil }
      return .none
    }
    .ifLet(\.inner, action: Action.innerCase) { Worker() }
  }
}

/// A parent that holds a nest in every possible way.
struct Nests: Reducer {
  enum Either: Equatable, Sendable {
    case nest(Nest.State)

    static let nestCase = CasePath(Self.nest) { if case .nest(let it) = $0 { it } else { nil } }
  }

  struct State: Equatable, Sendable {
    var scoped = Nest.State()
    var optional: Nest.State? = .init()
    var either = Either.nest(.init())
    @Presents var sheet: Nest.State? = .init()
    var rows: IdentifiedArrayOf<Nest.State> = [.init()]
    var path: StackState<Nest.State> = []
  }

  enum Action: Equatable, Sendable {
    case scoped(Nest.Action)
    case optional(Nest.Action)
    case either(Nest.Action)
    case sheet(PresentationAction<Nest.Action>)
    case rows(IdentifiedActionOf<Nest>)
    case path(StackActionOf<Nest>)

    static let scopedCase = CasePath(Self.scoped) {
      if case .scoped(let it) = $0 { it } else { nil }
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

  var body: some ReducerOf<Self> {
    Scope(state: \.scoped, action: Action.scopedCase) { Nest() }
    Scope(state: \.either, action: Action.eitherCase) {
      Scope(state: Either.nestCase, action: CasePath({ $0 }, { $0 })) { Nest() }
    }
    EmptyReducer()
      .ifLet(\.optional, action: Action.optionalCase) { Nest() }
      .ifLet(\.$sheet, action: Action.sheetCase) { Nest() }
      .forEach(\.rows, action: Action.rowsCase) { Nest() }
      .forEach(\.path, action: Action.pathCase) { Nest() }
  }
}
