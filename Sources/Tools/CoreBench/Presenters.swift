import Composable

// Five features, each presenting the previous one.

struct Presenter1: Reducer {
  struct State: Equatable, Sendable {
    @Presents var child: Leaf.State? = Leaf.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Leaf.Action>)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { Leaf() }
  }
}

struct Presenter2: Reducer {
  struct State: Equatable, Sendable {
    @Presents var child: Presenter1.State? = Presenter1.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Presenter1.Action>)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { Presenter1() }
  }
}

struct Presenter3: Reducer {
  struct State: Equatable, Sendable {
    @Presents var child: Presenter2.State? = Presenter2.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Presenter2.Action>)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { Presenter2() }
  }
}

struct Presenter4: Reducer {
  struct State: Equatable, Sendable {
    @Presents var child: Presenter3.State? = Presenter3.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Presenter3.Action>)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { Presenter3() }
  }
}

struct Presenter5: Reducer {
  struct State: Equatable, Sendable {
    @Presents var child: Presenter4.State? = Presenter4.State()
    var other = 0
  }

  enum Action: Sendable {
    case child(PresentationAction<Presenter4.Action>)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .other = action { state.other += 1 }
      return .none
    }
    .ifLet(\.$child, action: Action.childCase) { Presenter4() }
  }
}
