import Foundation
import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct BindingTests {
  private struct Form: Reducer {
    struct State: Equatable, Sendable {
      var name = ""
      var isPaused = false
      var changes = 0
    }

    enum Action: BindableAction, Equatable, Sendable {
      case binding(BindingAction<State>)
      case resetButtonTapped

      static let bindingCase = CasePath(Self.binding) {
        if case .binding(let it) = $0 { it } else { nil }
      }
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding(let change) where change.changes(\.name): state.changes += 1
        case .binding: break
        case .resetButtonTapped: return .send(.set(\.name, ""))
        }
        return .none
      }
    }
  }

  @Test func bindingActionsSetProperties() async {
    let store = TestStore(initialState: Form.State()) { Form() }
    await store.send(.set(\.name, "Blob")) {
      $0.name = "Blob"
      $0.changes = 1
    }
    await store.send(.set(\.isPaused, true)) { $0.isPaused = true }
    await store.send(.resetButtonTapped)
    await store.receive(.set(\.name, "")) {
      $0.name = ""
      $0.changes = 2
    }
    #expect(Form.Action.set(\.name, "a") != .set(\.name, "b"))
    #expect(Form.Action.set(\.name, "a") == .binding(.set(\.name, "a")))
    #expect(describe(Form.Action.set(\.name, "a")) == #".binding(.set(\.name, "a"))"#)
    #expect("\(BindingAction<Form.State>.set(\.name, "a"))" == #".set(\.name, a)"#)
  }

  @Test func whatFollowsABindingsChangeSeesItInTheOrderWritten() async {
    struct Search: Reducer {
      struct State: Equatable, Sendable {
        var query = ""
        var log: [String] = []
      }
      enum Action: BindableAction, Equatable, Sendable {
        case binding(BindingAction<State>)
        static let bindingCase = CasePath(Self.binding) {
          if case .binding(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        BindingReducer().onChange(of: \.query) { old, new in
          Reduce { state, _ in
            state.log.append("\(old) → \(new)")
            return .none
          }
        }
        Reduce { state, _ in
          state.log.append("set \(state.query)")
          return .none
        }
      }
    }
    let store = TestStore(initialState: Search.State()) { Search() }
    await store.send(.set(\.query, "a")) {
      $0.query = "a"
      $0.log = [" → a", "set a"]
    }
    await store.send(.set(\.query, "a")) { $0.log.append("set a") }
  }

  @Test func aStoreGivesBindings() {
    let store = Store(initialState: Form.State()) { Form() }
    let name = store.binding(\.name)
    name.value = "Blob"
    #expect(name.value == "Blob")
    #expect(store.changes == 1)
  }
}

/// Bindings in recordings.
@Suite struct RecordableBindingTests {
  private struct State: RecordableBindings, Equatable, Sendable {
    static let bindableProperties = [
      BindableProperty("name", \State.name), BindableProperty("count", \State.count),
    ]
    var name = ""
    var count = 0
    var other = false
  }

  @Test("A binding's change is encoded with the property's name and decoded unchanged")
  func roundTrip() throws {
    for change in [BindingAction<State>.set(\.name, "Blob"), .set(\.count, 7)] {
      let data = try JSONEncoder().encode(change)
      let read = try JSONDecoder().decode(BindingAction<State>.self, from: data)
      #expect(read == change)
      var state = State()
      read.apply(to: &state)
      #expect(state != State())
    }
    let data = try JSONEncoder().encode(BindingAction<State>.set(\.name, "Blob"))
    #expect(String(decoding: data, as: UTF8.self) == #"["name","Blob"]"#)
  }

  @Test(
    "A nameless property can't be encoded; an unknown name or a wrong type can't be decoded"
  )
  func mistakes() {
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(BindingAction<State>.set(\.other, true))
    }
    for json in [#"["age",1]"#, #"["count","seven"]"#, #"["name"]"#, "{}", "[]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(BindingAction<State>.self, from: Data(json.utf8))
      }
    }
  }
}
