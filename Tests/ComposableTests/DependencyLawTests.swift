import Composable
import ComposableFoundation
import ComposableTesting
import FoundationEssentials
import Testing

/// Where the value of a dependency applies.
@MainActor @Suite struct DependencyLawTests {
  private var seconds: Double {
    @Dependency(\.date) var date
    return date.now.timeIntervalSince1970
  }

  private func at<Result>(_ seconds: Double, _ operation: () throws -> Result) rethrows -> Result {
    try withDependencies {
      $0.date = .constant(Date(timeIntervalSince1970: seconds))
    } operation: {
      try operation()
    }
  }

  @Test func overridesNestAndEndAlsoWithAnError() {
    struct Failure: Error {}
    at(1) {
      at(2) { #expect(seconds == 2) }
      #expect(throws: Failure.self) { try at(3) { throw Failure() } }
      #expect(seconds == 1)
    }
  }

  @Test func oneOverrideSeesTheOtherThatIsInForce() {
    at(1) {
      withDependencies {
        $0.date = .constant($0.date.now.addingTimeInterval(1))
      } operation: {
        #expect(seconds == 2)
      }
      #expect(seconds == 1)
    }
  }

  @Test func anAsynchronousOverrideHoldsOverItsAwaitsAndInItsTasks() async {
    await withDependencies {
      $0.date = .constant(Date(timeIntervalSince1970: 5))
    } operation: {
      await Task.yield()
      #expect(seconds == 5)
      async let child = seconds
      #expect(await child == 5)
      #expect(await Task { seconds }.value == 5)
    }
  }

  @Test func aDetachedTaskIsOutsideOfEveryOverride() async {
    await withDependencies {
      $0.logger = Logger { _, _ in Issue.record("Seen outside.") }
    } operation: {
      await Task.detached {
        @Dependency(\.logger) var logger
        logger.error("nobody")
      }.value
    }
  }

  @Test func aPropertyReadsWhatIsInForceWhereItIsReadAndNotWhereItWasMade() {
    struct Reader: Sendable {
      @Dependency(\.date) var date
    }
    let reader = at(1) { Reader() }
    #expect(at(2) { reader.date.now.timeIntervalSince1970 } == 2)
  }

  @Test func aDependencyIsAlsoAFunctionOfAllOrAPathThatIsNoLiteral() {
    let path: any KeyPath<DependencyValues, DateGenerator> & Sendable = \.date
    struct Reader: Sendable {
      @Dependency({ $0.date.now.timeIntervalSince1970 }) var seconds
    }
    at(4) {
      #expect(Reader().seconds == 4)
      #expect(Dependency(path).wrappedValue.now.timeIntervalSince1970 == 4)
    }
  }

  @Test func copiesOfAllValuesAreApart() {
    var first = DependencyValues.current
    first.uuid = .constant(UUID(1))
    var second = first
    second.uuid = .constant(UUID(2))
    #expect(first.uuid() == UUID(1))
    #expect(second.uuid() == UUID(2))
    #expect(!first.overriddenKeys.isEmpty)
  }

  @Test func anOverrideOfAChildWinsOverThatOfTheStoreAndTheInnerOverTheOuter() async {
    let store = TestStore(initialState: [Double]()) {
      Reduce<[Double], Int> { state, _ in
        @Dependency(\.date) var date
        state.append(date.now.timeIntervalSince1970)
        return .none
      }
      .dependency(\.date, .constant(Date(timeIntervalSince1970: 1)))
      .dependency(\.date, .constant(Date(timeIntervalSince1970: 2)))
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 3))
    }
    await store.send(1) { $0 = [1] }
  }

  @Test func aTestChangesADependencyBetweenTwoActions() async {
    let store = TestStore(initialState: [Double]()) {
      Reduce<[Double], Bool> { state, isLast in
        @Dependency(\.date) var date
        state.append(date.now.timeIntervalSince1970)
        return isLast ? .none : .run { send in await send(true) }
      }
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 1))
    }
    await store.send(true) { $0 = [1] }
    store.dependencies.date = .constant(Date(timeIntervalSince1970: 2))
    await store.send(false) { $0 = [1, 2] }
    await store.receive(true) { $0 = [1, 2, 2] }
  }

  @Test func whatAnEffectCapturedItKeepsWhenTheTestChangesIt() async {
    let clock = TestClock()
    let store = TestStore(initialState: [Double]()) {
      Reduce<[Double], Double?> { state, seen in
        if let seen { state.append(seen) }
        return seen != nil
          ? .none
          : .run { send in
            try await clock.sleep(for: .seconds(1))
            @Dependency(\.date) var date
            await send(date.now.timeIntervalSince1970)
          }
      }
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 1))
    }
    await store.send(nil)
    store.dependencies.date = .constant(Date(timeIntervalSince1970: 2))
    await clock.advance(by: .seconds(1))
    await store.receive(1) { $0 = [1] }
  }

  // MARK: Shared values

  @Test func incrementsFromManyTasksAreAllThere() async {
    let count = Shared(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.wrappedValue == 8_000)
  }

  @Test func aPartOfAPartIsThePart() {
    struct Inner: Equatable, Sendable { var number = 1 }
    struct Outer: Equatable, Sendable { var inner = Inner() }
    let outer = Shared(value: Outer())
    let number = outer.inner.number
    number.withLock { $0 = 5 }
    #expect(outer.wrappedValue.inner.number == 5)
    outer.withLock { $0 = Outer() }
    #expect(number.wrappedValue == 1)
    #expect(number == outer.inner.number)
  }

  @Test func oneNameWithTwoTypesIsTwoValues() {
    struct Holder {
      @Shared(.inMemory("one")) var number = 1
      @Shared(.inMemory("one")) var text = "a"
      @Shared(.inMemory("two")) var other = 2
    }
    let holder = Holder()
    holder.$number.withLock { $0 = 7 }
    #expect(holder.text == "a")
    #expect(holder.other == 2)
    #expect(Holder().number == 7)
  }

  @Test func aReaderFollowsAndCannotChange() async {
    let count = Shared(value: 1)
    let reader = SharedReader(count)
    var values = reader.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    count.withLock { $0 = 2 }
    #expect(reader.wrappedValue == 2)
    #expect(await values.next() == 2)
    #expect("\(reader)" == "2")
  }
}
