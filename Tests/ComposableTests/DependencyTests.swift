import Composable
import ComposableFoundation
import ComposableTesting
import FoundationEssentials
import Testing

private struct Named: Sendable {
  var name: String
}

extension Named: DependencyKey {
  static let liveValue = Named(name: "live")
}

private final class Tally: Sendable {
  let log = LockedLog<String>()
}

extension Tally: TestDependencyKey {
  static var testValue: Tally { Tally() }
}

extension DependencyValues {
  fileprivate var named: Named {
    get { self[Named.self] }
    set { self[Named.self] = newValue }
  }

  fileprivate var tally: Tally {
    get { self[Tally.self] }
    set { self[Tally.self] = newValue }
  }
}

/// Records which name is current where.
private struct Namer: Reducer {
  struct State: Equatable, Sendable {
    var names: [String] = []
  }

  enum Action: Equatable, Sendable {
    case start
    case startOverridden
    case told(String)
  }

  @Dependency(\.named) var named

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        state.names.append(named.name)
        return effect
      case .startOverridden:
        return withDependencies {
          $0.named = Named(name: named.name + "+")
        } operation: {
          effect
        }
      case .told(let name):
        state.names.append("\(name)/\(named.name)")
        return .none
      }
    }
  }

  private var effect: Effect<Action> {
    .run { send in
      @Dependency(\.named) var named
      await send(.told(named.name))
      async let child = DependencyValues.current.named.name
      await send(.told("child " + child))
    }
  }
}

/// An unlimited supply of keys: `NumberKey<Int>`, `NumberKey<NumberKey<Int>>` …
private enum NumberKey<Inner>: TestDependencyKey {
  static var testValue: Int { 0 }

  /// Sets this key to a number, the next key to the next smaller number, and so on.
  static func set(downFrom number: Int, in values: inout DependencyValues) {
    guard number > 0 else { return }
    values[Self.self] = number
    NumberKey<Self>.set(downFrom: number - 1, in: &values)
  }

  /// Returns the values of this key and the following ones, `count` in all.
  static func read(_ count: Int, from values: DependencyValues) -> [Int] {
    count == 0 ? [] : [values[Self.self]] + NumberKey<Self>.read(count - 1, from: values)
  }
}

@MainActor @Suite struct DependencyTests {
  @Test func eachOfManyKeysHasItsOwnValueInItsOwnCopy() {
    let untouched = DependencyValues()
    var values = untouched
    NumberKey<Int>.set(downFrom: 100, in: &values)
    var changed = values
    changed[NumberKey<Int>.self] = -1
    #expect(NumberKey<Int>.read(101, from: values) == Array((0...100).reversed()))
    #expect(NumberKey<Int>.read(3, from: changed) == [-1, 99, 98])
    #expect(NumberKey<Int>.read(101, from: untouched) == Array(repeating: 0, count: 101))
  }

  @Test func overridesHoldInEffectsAndTheirChildTasksAndNotInTheActionsTheySend() async {
    let store = TestStore(initialState: Namer.State()) {
      Namer()
    } withDependencies: {
      $0.named = Named(name: "a")
    }
    await store.send(.start) { $0.names = ["a"] }
    await store.receive(.told("a")) { $0.names.append("a/a") }
    await store.receive(.told("child a")) { $0.names.append("child a/a") }
    for _ in 1...2 {  // They do not accumulate: it is never "a++".
      await store.send(.startOverridden)
      await store.receive(.told("a+")) { $0.names.append("a+/a") }
      await store.receive(.told("child a+")) { $0.names.append("child a+/a") }
    }
    await store.finish()
  }

  @Test func anOverrideInAChildDoesNotLeakToSiblings() async {
    struct Siblings: Reducer {
      struct State: Equatable, Sendable {
        var first = Namer.State()
        var second = Namer.State()
        var parent: [String] = []
      }
      enum Action: Equatable, Sendable {
        case first(Namer.Action)
        case second(Namer.Action)
        static let firstCase = CasePath(Self.first) {
          if case .first(let it) = $0 { it } else { nil }
        }
        static let secondCase = CasePath(Self.second) {
          if case .second(let it) = $0 { it } else { nil }
        }
      }
      @Dependency(\.named) var named
      var body: some ReducerOf<Self> {
        Scope(state: \.first, action: Action.firstCase) {
          Namer().dependency(\.named, Named(name: "first"))
        }
        Scope(state: \.second, action: Action.secondCase) { Namer() }
        Reduce { state, action in
          state.parent.append(named.name)
          return action == .first(.told("first")) ? .send(.second(.start)) : .none
        }
      }
    }
    let store = TestStore(initialState: Siblings.State()) {
      Siblings()
    } withDependencies: {
      $0.named = Named(name: "root")
    }
    store.exhaustivity = .off  // Who read which value is asserted once it has all happened.
    await store.send(.first(.start))
    await store.finish()
    #expect(Set(store.state.parent) == ["root"])
    #expect(
      store.state.first.names == ["first", "first/first", "child first/first"])
    #expect(store.state.second.names == ["root", "root/root", "child root/root"])
  }

  @Test func anOverrideInAReducerHoldsInItsEffectsAlsoInsideAnOverriddenChild() async {
    let store = TestStore(initialState: [String]()) {
      Reduce<[String], Int> { state, action in
        let values = DependencyValues.current
        guard action == 1 else {
          state.append("\(values.named.name) \(values.date.now.timeIntervalSince1970)")
          return .none
        }
        return withDependencies {
          $0.date = .constant(Date(timeIntervalSince1970: 5))
        } operation: {
          .run { send in
            let values = DependencyValues.current
            await send(Int(values.date.now.timeIntervalSince1970))
          }
        }
      }
      .dependency(\.named, Named(name: "child"))
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 0))
    }
    await store.send(1)
    await store.receive(5) { $0 = ["child 0.0"] }
    await store.send(3) { $0 = ["child 0.0", "child 0.0"] }
  }

  @Test func overridingAValueInAReducerIsNoUseOfTheOldOne() async {
    let store = TestStore(initialState: "") {
      CombineReducers {
        Reduce<String, Int> { state, _ in
          state = DependencyValues.current.named.name
          return .none
        }
        .dependency(\.named, Named(name: "child"))
        Reduce { _, action in
          if action == 2 { _ = DependencyValues.current.named }
          return .none
        }
      }
    }
    await store.send(1) { $0 = "child" }
    // Code that uses the value outside the override does.
    await withKnownIssue { await store.send(2) }
  }

  @Test func aLiveValueReachedInATestIsAnIssueThatNamesTheKey() {
    withKnownIssue {
      withDependencies {
        $0.isolateDefaults()
      } operation: {
        #expect(DependencyValues.current.named.name == "live")
      }
    } matching: {
      $0.comments.first?.rawValue == """
        "Named" was used in a test, but it has only a live value.

        Override it in the test with `withDependencies`, or give the key a `testValue`.
        """
    }
  }

  @Test func aKeyHasAValueForEachContext() {
    struct Colour: DependencyKey {
      let name: String
      static let liveValue = Colour(name: "live")
      static let previewValue = Colour(name: "preview")
      static let testValue = Colour(name: "test")
    }
    for (context, name) in [
      (DependencyContext.live, "live"), (.preview, "preview"), (.test, "test"),
    ] {
      withDependencies {
        $0.isolateDefaults()
        $0.context = context
      } operation: {
        #expect(DependencyValues.current[Colour.self].name == name)
      }
    }
    withDependencies {
      $0.context = .preview
    } operation: {
      // Without a preview value, the live value is used.
      #expect(DependencyValues.current.named.name == "live")
    }
  }

  @Test func aKeyWithoutALiveValueIsAnIssueInTheRunningProgram() {
    withKnownIssue {
      withDependencies {
        $0.isolateDefaults()
        $0.context = .live
      } operation: {
        _ = DependencyValues.current.tally
      }
    } matching: {
      $0.comments.first?.rawValue == """
        "Tally" has no live value, and none was provided.

        Provide it in the program's composition root with `prepareDependencies`.
        """
    }
  }

  /// Runs in a separate process, because it changes the dependencies of the whole process.
  @Test func whatIsPreparedHoldsWhereverNothingElseDoes() async {
    await #expect(processExitsWith: .success) {
      prepareDependencies { $0.named = Named(name: "prepared") }
      @Dependency(\.named) var named
      precondition(named.name == "prepared")
      await Task.detached { precondition(DependencyValues.current.named.name == "prepared") }.value
      let store = await Store(initialState: Namer.State()) { Namer() }
      await store.send(.start).finish()
      let names = await store.state.names
      precondition(names == ["prepared", "prepared/prepared", "child prepared/prepared"])
      withDependencies {
        $0.named = Named(name: "nearer")
      } operation: {
        precondition(named.name == "nearer")
      }
      // A second call changes what was prepared and keeps the rest.
      prepareDependencies { $0.date = .constant(Date(timeIntervalSince1970: 0)) }
      precondition(named.name == "prepared")
    }
  }

  @Test func clocksAndRandomNumbersHaveToBeOverriddenInTests() async throws {
    let values = DependencyValues.current
    withKnownIssue { _ = values.withRandomNumberGenerator { Int.random(in: 0...1, using: &$0) } }
    await withKnownIssue { try await values.continuousClock.sleep(for: .seconds(1_000)) }
    await withKnownIssue { try await values.suspendingClock.sleep(for: .seconds(1_000)) }
  }

  @Test(.timeLimit(.minutes(1)))
  func aDieThatIsThrownWithoutAnOverrideLandsAllTheSame() {
    withKnownIssue {
      let isOnADie = DependencyValues.current.withRandomNumberGenerator {
        (1...6).contains(Int.random(in: 1...6, using: &$0))
      }
      #expect(isOnADie)
    }
  }

  @Test func whatIsOverriddenIsUsed() async {
    struct Stepping: RandomNumberGenerator {
      var number: UInt64 = 0
      mutating func next() -> UInt64 {
        number += 1
        return number
      }
    }
    withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Stepping())
    } operation: {
      @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
      #expect(withRandomNumberGenerator { [$0.next(), $0.next()] } == [1, 2])
      #expect(withRandomNumberGenerator { $0.next() } == 3)
    }
  }

  @Test func unimplementedStandsInForFunctionsOfAnyArity() async throws {
    struct Failure: Error {}
    let none: @Sendable () -> Int = unimplemented("none", placeholder: 1)
    let one: @Sendable (Int) async -> Int = unimplemented("one", placeholder: 2)
    let three: @Sendable (Int, String, [Int]) throws -> Void = unimplemented("three")
    let thrower: @Sendable (Int, Int) async throws(Failure) -> Int = unimplemented(
      "thrower", throwing: Failure())
    try await withKnownIssue {
      #expect(none() == 1)
      #expect(await one(5) == 2)
      try three(1, "a", [])
      await #expect(throws: Failure.self) { try await thrower(1, 2) }
    } matching: { issue in
      ["none", "one", "three", "thrower"].contains { name in
        issue.comments.first?.rawValue == """
          "\(name)" was called, but it is not implemented.

          A test must override it with `withDependencies`; a program must provide it in its \
          composition root.
          """
      }
    }
  }

  /// Runs in parallel with itself. Each run has separate overrides and separate defaults.
  @Test(arguments: 1...50)
  func parallelTestsNeverSeeEachOther(number: Int) async {
    let name = "test \(number)"
    let store = TestStore(initialState: Namer.State()) {
      Namer()
    } withDependencies: {
      $0.named = Named(name: name)
      $0.uuid = .incrementing
    }
    await store.send(.start) { $0.names = [name] }
    await Task.detached {}.value  // Lets other tests run.
    await store.receive(.told(name)) { $0.names.append("\(name)/\(name)") }
    await store.receive(.told("child \(name)")) { $0.names.append("child \(name)/\(name)") }
    #expect(store.dependencies.uuid() == UUID(0))
    // A default is made once per test, and not shared with other tests.
    store.dependencies.tally.log.append(name)
    #expect(store.dependencies.tally.log.values == [name])
  }

  @Test func eachStoreOfATestHasDefaultsOfItsOwn() {
    let stores = (1...2).map { _ in TestStore(initialState: Namer.State()) { Namer() } }
    for store in stores {
      store.dependencies.tally.log.append("a")
      #expect(store.dependencies.tally.log.values == ["a"])
    }
  }
}
