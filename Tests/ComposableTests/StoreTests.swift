import Composable
import ComposableFoundation
import Testing

/// A miniature feature with every kind of child.
private struct Parent: Reducer {
  struct State: Equatable, Sendable {
    var count = 0
    var child = Child.State(id: 0)
    var optional: Child.State?
    @Presents var sheet: Child.State?
    var rows: IdentifiedArrayOf<Child.State> = []
  }

  enum Action: Equatable, Sendable {
    case incremented
    case child(Child.Action)
    case optional(Child.Action)
    case sheet(PresentationAction<Child.Action>)
    case rows(IdentifiedActionOf<Child>)

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
    static let optionalCase = CasePath(Self.optional) {
      if case .optional(let it) = $0 { it } else { nil }
    }
    static let sheetCase = CasePath(Self.sheet) { if case .sheet(let it) = $0 { it } else { nil } }
    static let rowsCase = CasePath(Self.rows) { if case .rows(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: Action.childCase) { Child() }
    Reduce { state, action in
      if action == .incremented { state.count += 1 }
      return .none
    }
    .ifLet(\.optional, action: Action.optionalCase) { Child() }
    .ifLet(\.$sheet, action: Action.sheetCase) { Child() }
    .forEach(\.rows, action: Action.rowsCase) { Child() }
  }
}

private struct Child: Reducer {
  struct State: Equatable, Sendable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Action: Equatable, Sendable {
    case tapped
    case doubled
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tapped:
        state.count += 1
        return .run { [uuid] send in
          _ = uuid()
          await send(.doubled)
        }
      case .doubled:
        state.count *= 2
        return .none
      }
    }
  }
}

struct ShopClient: Sendable {
  struct Failure: Error, Equatable { var name: String }

  var buy: @Sendable (Int, String) async throws(Failure) -> Bool
  var count: @Sendable () -> Int
  var names: @Sendable (Int) async -> [String]
}

extension ShopClient: TestDependencyKey {
  static let testValue = ShopClient(
    buy: unimplemented("ShopClient.buy", throwing: Failure(name: "ShopClient.buy")),
    count: unimplemented("ShopClient.count", placeholder: 0),
    names: unimplemented("ShopClient.names", placeholder: []))
}

@MainActor @Suite struct StoreTests {
  @Test func runsTheReducerBeforeSendReturns() async {
    let store = Store(initialState: Parent.State(), reducer: { Parent() }) {
      $0.uuid = .incrementing
    }
    store.send(.incremented)
    #expect(store.count == 1)
    let child = store.scope(state: \.child, action: Parent.Action.childCase)
    await child.send(.tapped).finish()
    #expect(store.child.count == 2)
    #expect(store.scope(state: \.sheet, action: Parent.Action.sheetCase) == nil)
  }

  @Test func unimplementedFunctionsReportTheirNames() async throws {
    let client = ShopClient.testValue
    await withKnownIssue {
      await #expect(throws: ShopClient.Failure.self) { try await client.buy(1, "") }
    } matching: {
      $0.comments.first?.rawValue.contains(#""ShopClient.buy" was called"#) == true
    }
    withKnownIssue { #expect(client.count() == 0) }
  }
}
