import Composable
import ComposableTesting
import FoundationEssentials
import Testing

/// Collections and presentations are modified in place, and copied only if they are shared.
@MainActor @Suite struct MutationTests {
  private func rows(_ ids: Int...) -> IdentifiedArrayOf<Fragile> {
    IdentifiedArray(uniqueElements: ids.map { Fragile(id: $0) })
  }

  // MARK: Identified arrays

  @Test func anElementIsChangedInPlaceByItsIDAndByItsPosition() {
    var rows = rows(1, 2, 3)
    rows[id: 2]?.touch()
    rows[1].touch()
    rows[id: 3]?.touch()
    rows.modify(id: 2) { $0.touch() }
    #expect(rows.map(\.count) == [0, 3, 1])
    #expect(rows.map(\.copies) == [0, 0, 0])
    #expect(rows.ids == [1, 2, 3])
  }

  @Test func whoHoldsACopyKeepsItsValues() {
    var rows = rows(1, 2)
    let before = rows
    rows[id: 1]?.touch()
    rows[1].touch()
    #expect(before.map(\.count) == [0, 0])
    #expect(rows.map(\.count) == [1, 1])
  }

  @Test func settingNilRemovesAndKeepsTheOrder() {
    for id in 1...4 {
      var rows = rows(1, 2, 3, 4)
      rows[id: id] = nil
      #expect(rows.ids == [1, 2, 3, 4].filter { $0 != id })
      #expect(rows.map(\.id) == rows.ids)
      #expect(rows.ids.map { rows.index(id: $0) } == [0, 1, 2])
    }
    var rows = rows(1)
    rows[id: 7] = nil
    rows[id: 8] = Fragile(id: 8)
    rows[id: 9]?.touch()
    #expect(rows.ids == [1, 8])
  }

  @Test func elementsChangePlacesTurnRoundAndGo() {
    var rows = rows(1, 2, 3, 4, 5)
    rows.swapAt(0, 4)
    #expect(rows.ids == [5, 2, 3, 4, 1])
    rows.reverse()
    #expect(rows.ids == [1, 4, 3, 2, 5])
    rows.remove(atOffsets: [0, 3, 3])
    #expect(rows.ids == [4, 3, 5])
    rows.swapAt(1, 1)
    rows.remove(atOffsets: [])
    #expect(rows.map(\.id) == [4, 3, 5])
    #expect(rows.ids.map { rows.index(id: $0) } == [0, 1, 2])
    #expect(!rows.contains(id: 2))
  }

  @Test func anElementThatChangesItsIDTraps() async {
    await #expect(processExitsWith: .failure) {
      var rows: IdentifiedArrayOf<Fragile> = [Fragile(id: 1)]
      rows[0] = Fragile(id: 2)
    }
    await #expect(processExitsWith: .failure) {
      var rows: IdentifiedArrayOf<Fragile> = [Fragile(id: 1)]
      rows[id: 1] = Fragile(id: 2)
    }
  }

  @Test func whoSeesARowsStoreHearsOfEveryWayToChangeIt() {
    let store = Store(
      initialState: Family.State(rows: [.init(id: 1), .init(id: 2), .init(id: 3)])
    ) { Family() }
    var told: [Int] = []
    let stores = store.scopes(state: \.rows, action: Family.Action.rowsCase)
    let tokens = stores.map { row in row.observe { told.append(row.id) } }
    store.send(.change { $0.rows[id: 1]?.done = 1 })
    store.send(.change { $0.rows[1].done = 1 })
    store.send(.change { $0.rows[id: 3] = .init(id: 3, done: 1) })
    #expect(told == [1, 2, 3])
    store.send(.change { $0.rows.reverse() })
    store.send(.change { $0.rows.swapAt(0, 1) })
    #expect(told == [1, 2, 3])
    #expect(stores.map(\.done) == [1, 1, 1])
    for token in tokens { token.cancel() }
  }

  // MARK: Stacks

  @Test func aStacksElementsKeepTheirIDs() {
    var stack = StackState(["a", "b", "c", "d"])
    let ids = stack.ids
    stack[1] = "B"
    stack[id: ids[2]]? += "!"
    #expect(Array(stack) == ["a", "B", "c!", "d"])
    #expect(stack.ids == ids)
    stack.swapAt(0, 3)
    #expect(stack.ids == [ids[3], ids[1], ids[2], ids[0]])
    stack.reverse()
    stack.remove(atOffsets: [1, 2])
    #expect(Array(stack) == ["a", "d"])
    #expect(stack.ids == [ids[0], ids[3]])
    stack[id: ids[0]] = nil
    stack[id: 900] = "new"
    #expect(Array(stack) == ["d", "new"])
    #expect(stack.ids.last == 900)
  }

  @Test func aStacksElementIsChangedInPlace() {
    var stack = StackState([Fragile(id: 1), Fragile(id: 2)])
    stack[0].touch()
    stack[id: stack.ids[1]]?.touch()
    stack.modify(id: stack.ids[1]) { $0.touch() }
    #expect(stack.map(\.count) == [1, 2])
    #expect(stack.map(\.copies) == [0, 0])
  }

  // MARK: Presentation

  private struct Sheet: Equatable, Sendable, Codable {
    @Presents var child: Fragile?
    var other = 0
  }

  @Test func aPresentedChildIsChangedInPlaceAndHasOneBox() {
    var sheet = Sheet(child: Fragile(id: 1))
    func address() -> UInt { withUnsafePointer(to: &sheet.child!) { UInt(bitPattern: $0) } }
    let before = address()
    for _ in 1...10 { sheet.child?.touch() }
    #expect(address() == before)
    #expect(sheet.child?.count == 10)
    #expect(sheet.child?.copies == 0)
  }

  @Test func whoHoldsAPresentationKeepsItsValue() {
    var sheet = Sheet(child: Fragile(id: 1))
    let first = sheet
    let second = sheet.$child
    sheet.child?.touch()
    sheet.child?.touch()
    #expect(first.child?.count == 0)
    #expect(second.value?.count == 0)
    #expect(sheet.child?.count == 2)
    sheet.child = nil
    #expect(first.child != nil)
  }

  @Test func aStoreChangesAPresentedChildInPlaceThroughAllLevels() {
    struct Parent: Reducer {
      struct State: Sendable {
        @Presents var child: Child? = Child()
      }
      struct Child: Sendable {
        @Presents var fragile: Fragile? = Fragile(id: 1)
      }
      typealias Action = PresentationAction<PresentationAction<Int>>

      var body: some ReducerOf<Self> {
        // The parent changes the child, too, at each of its actions.
        Reduce { state, _ in
          state.child?.fragile?.touch()
          return .none
        }
        .ifLet(\.$child, action: CasePath({ $0 }, { $0 })) {
          EmptyReducer<Child, PresentationAction<Int>>()
            .ifLet(\.$fragile, action: CasePath({ $0 }, { $0 })) {
              Reduce { fragile, _ in
                fragile.touch()
                return .none
              }
            }
        }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    for _ in 1...5 { store.send(.presented(.presented(1))) }
    #expect(store.child?.fragile?.count == 10)
    #expect(store.child?.fragile?.copies == 0)
  }

  @Test func aPresentationIsCodedAsAnOptional() throws {
    var sheet = Sheet(child: Fragile(id: 3))
    sheet.child?.touch()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(sheet)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"child":{"copies":0,"count":1,"id":3},"other":0}"#)
    #expect(try JSONDecoder().decode(Sheet.self, from: data) == sheet)
    let empty = try encoder.encode(Sheet())
    #expect(String(decoding: empty, as: UTF8.self) == #"{"other":0}"#)
    #expect(try JSONDecoder().decode(Sheet.self, from: empty) == Sheet())
    let null = Data(#"{"child":null,"other":0}"#.utf8)
    #expect(try JSONDecoder().decode(Sheet.self, from: null) == Sheet())
    #expect(try JSONDecoder().decode([Presents<Int>].self, from: Data("[1,null]".utf8)).count == 2)
  }

  @Test func whatIsDecodedIsAPresentationOfItsOwn() async {
    struct Feature: Reducer {
      struct State: Equatable, Sendable, Codable { @Presents var sheet: Int? = 1 }
      enum Action: Sendable {
        case load(State)
        case sheet(PresentationAction<Bool>)
        static let sheetCase = CasePath(Self.sheet) {
          if case .sheet(let it) = $0 { it } else { nil }
        }
      }
      let clock: TestClock
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if case .load(let new) = action { state = new }
          return .none
        }
        .ifLet(\.$sheet, action: Action.sheetCase) {
          Reduce { [clock] _, _ in .run { _ in try await clock.sleep(for: .seconds(1)) } }
        }
      }
    }
    let clock = TestClock()
    let store = TestStore(initialState: Feature.State()) { Feature(clock: clock) }
    let saved = try! JSONEncoder().encode(store.state)
    await store.send(.sheet(.presented(true)))
    await store.send(.load(try! JSONDecoder().decode(Feature.State.self, from: saved)))
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func aStackIsCodedAsItsElementsAndGetsNewIDs() throws {
    let stack = StackState(["a", "b"])
    let data = try JSONEncoder().encode(stack)
    #expect(String(decoding: data, as: UTF8.self) == #"["a","b"]"#)
    let decoded = try JSONDecoder().decode(StackState<String>.self, from: data)
    #expect(Array(decoded) == ["a", "b"])
    #expect(Set(decoded.ids).isDisjoint(with: stack.ids))
  }
}
