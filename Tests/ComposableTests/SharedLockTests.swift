import Composable
import ComposableTesting
import Testing

/// Uses of shared values while one of them is being changed.
@MainActor @Suite struct SharedLockTests {
  @Test func aValueMayBeReadWhereItIsChanged() async {
    await #expect(processExitsWith: .success) {
      @Shared(.inMemory("count")) var count = 1
      let shared = $count
      shared.withLock { $0 = shared.wrappedValue + 1 }
      precondition(count == 2)
    }
  }

  @Test func aValueMayBeChangedWhereAnotherIs() async {
    @Shared(.inMemory("first")) var first = 1
    @Shared(.inMemory("second")) var second = 1
    let (one, two) = ($first, $second)
    one.withLock { value in
      let old = value
      two.withLock { $0 += old }
      value += two.wrappedValue
    }
    #expect(first == 3 && second == 2)
  }

  @Test func changesByManyThatReadTheValueAreAllKept() async {
    @Shared(.inMemory("count")) var count = 0
    let shared = $count
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1_000 { shared.withLock { $0 = shared.wrappedValue + 1 } }
        }
      }
    }
    #expect(count == 8_000)
  }

  @Test func whoBeginsToFollowAValueWhileItIsChangedHearsOfTheChange() async {
    @Shared(.inMemory("count")) var count = 1
    let shared = $count
    var values = shared.withLock { value in
      value = 2
      return shared.values
    }.makeAsyncIterator()
    #expect(await values.next() == 2)
  }

  @Test func whoIsToldOfAChangeMayReadAndChangeIt() async {
    @Shared(.inMemory("count")) var count = 1
    let shared = $count
    let store = Store<Shared<Int>, Bool>(initialState: shared) {
      Reduce<Shared<Int>, Bool> { state, _ in
        state.withLock { $0 += 1 }
        return .none
      }
    }
    let token = store.observe { if shared.wrappedValue == 2 { shared.withLock { $0 = 10 } } }
    store.send(true)
    #expect(count == 10)
    token.cancel()
  }
}
