import Composable

// Five features, each containing the previous one.

struct Nest1: Reducer {
  struct State: Equatable, Sendable {
    var child = Leaf.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(Leaf.Action)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Leaf() }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}

struct Nest2: Reducer {
  struct State: Equatable, Sendable {
    var child = Nest1.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(Nest1.Action)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Nest1() }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}

struct Nest3: Reducer {
  struct State: Equatable, Sendable {
    var child = Nest2.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(Nest2.Action)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Nest2() }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}

struct Nest4: Reducer {
  struct State: Equatable, Sendable {
    var child = Nest3.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(Nest3.Action)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Nest3() }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}

struct Nest5: Reducer {
  struct State: Equatable, Sendable {
    var child = Nest4.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(Nest4.Action)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Nest4() }
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
  }
}
