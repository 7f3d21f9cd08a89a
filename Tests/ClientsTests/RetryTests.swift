import Clients
import Composable
import ComposableTesting
import Domain
import Synchronization
import Testing

/// When a failed operation is tried again.
@MainActor @Suite struct RetryTests {
  let clock = TestClock()

  /// An operation that fails a number of times, then succeeds, and counts its calls.
  final class Operation: Sendable {
    private let calls = Mutex(0)
    let failures: Int
    let error: NetworkError

    init(failing failures: Int, with error: NetworkError = .unanswered) {
      self.failures = failures
      self.error = error
    }

    var count: Int { calls.withLock { $0 } }

    func callAsFunction() throws(NetworkError) -> String {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      if call <= failures { throw error }
      return "done"
    }
  }

  /// A generator that always returns the middle, so that delays have no jitter.
  struct Middle: RandomNumberGenerator {
    mutating func next() -> UInt64 { 1 << 63 }
  }

  func start(
    _ operation: Operation, _ policy: RetryPolicy = .default
  ) -> Task<Result<String, NetworkError>, Never> {
    Task { [clock] in
      do throws(NetworkError) {
        return .success(
          try await withRetry(policy, clock: clock, random: WithRandomNumberGenerator(Middle())) {
            () async throws(NetworkError) in try operation()
          })
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("A call that fails twice is retried after half a second and then a second")
  func third() async {
    let operation = Operation(failing: 2)
    let task = start(operation)
    await clock.waitForSleeps()
    #expect(operation.count == 1)
    await clock.advance(by: .milliseconds(499))
    #expect(operation.count == 1)
    await clock.advance(by: .milliseconds(2))
    await clock.waitForSleeps()
    #expect(operation.count == 2)
    await clock.advance(by: .milliseconds(1_001))
    #expect(await task.value == .success("done"))
    #expect(operation.count == 3)
  }

  @Test("After three retries, the call fails with its last error")
  func gaveUp() async {
    let operation = Operation(failing: 9)
    let task = start(operation)
    for _ in 0..<3 {
      await clock.waitForSleeps()
      await clock.advance(by: .seconds(3))
    }
    #expect(await task.value == .failure(.unanswered))
    #expect(operation.count == 4)
  }

  @Test("The aggressive policy retries five times")
  func aggressive() async {
    let operation = Operation(failing: 5)
    let task = start(operation, .aggressive)
    for _ in 0..<5 {
      await clock.waitForSleeps()
      await clock.advance(by: .seconds(2))
    }
    #expect(await task.value == .success("done"))
    #expect(operation.count == 6)
  }

  @Test(
    "A retry policy decides which errors are retried",
    arguments: [NetworkError.unanswered, .notTrusted])
  func retryableErrors(_ error: NetworkError) async {
    let operation = Operation(failing: 1, with: error)
    var policy = RetryPolicy.default
    policy.retryableErrors = { $0 as? NetworkError == .notTrusted }
    let task = start(operation, policy)
    guard error == .notTrusted else {
      #expect(await task.value == .failure(error))
      return
    }
    await clock.waitForSleeps()
    await clock.advance(by: .seconds(1))
    #expect(await task.value == .success("done"))
  }

  @Test("A permanent failure (untrusted certificate) is not retried")
  func permanent() async {
    let operation = Operation(failing: 1, with: .notTrusted)
    #expect(await start(operation).value == .failure(.notTrusted))
    #expect(operation.count == 1)
  }

  @Test("A call is retried after the wait that the service asks for")
  func rateLimited() async {
    let operation = Operation(failing: 1, with: .rateLimited(retryAfter: .seconds(30)))
    let task = start(operation)
    await clock.waitForSleeps()
    await clock.advance(by: .seconds(29))
    #expect(operation.count == 1)
    await clock.advance(by: .seconds(1))
    #expect(await task.value == .success("done"))
  }

  @Test("An error keeps the service's wait when it is wrapped in another error")
  func wrappedWait() {
    let error = NetworkError.rateLimited(retryAfter: .seconds(30))
    #expect(StorageError.network(error).text.retryAfter == .seconds(30))
    #expect(ClientError.storage(.network(error)).text.retryAfter == .seconds(30))
  }

  @Test("No retry starts after the time limit")
  func limit() async {
    let operation = Operation(failing: 9)
    let task = Task { [clock] in
      do throws(NetworkError) {
        return try await withRetry(
          .simple, clock: clock, random: WithRandomNumberGenerator(Middle()), within: .seconds(3)
        ) { () async throws(NetworkError) in try operation() }
      } catch { return "\(error)" }
    }
    await clock.waitForSleeps()
    await clock.advance(by: .seconds(1))
    // The next one would begin after three seconds.
    #expect(await task.value == "unanswered")
    #expect(operation.count == 2)
  }

  @Test("A cancelled task is not retried")
  func cancelled() async {
    let operation = Operation(failing: 9)
    let task = start(operation)
    await clock.waitForSleeps()
    task.cancel()
    #expect(await task.value == .failure(.unanswered))
    #expect(operation.count == 1)
  }

  @Test("Each retry is reported with its error and number")
  func onRetry() async throws {
    let heard = Mutex<[String]>([])
    let operation = Operation(failing: 2)
    let value = try await withRetry(
      clock: ImmediateClock(), random: WithRandomNumberGenerator(Middle()),
      onRetry: { error, attempt, _ in heard.withLock { $0.append("\(attempt) \(error)") } }
    ) { () async throws(NetworkError) in try operation() }
    #expect(value == "done")
    #expect(heard.withLock { $0 } == ["1 unanswered", "2 unanswered"])
  }

  @Test(
    "Each retry policy has its designed delays and jitter",
    arguments: [
      (.default, [0.5, 1, 2], [0.4, 0.8, 1.6], [0.6, 1.2, 2.4]),
      (
        .aggressive, [0.2, 0.3, 0.45, 0.675, 1.0125], [0.18, 0.27, 0.405, 0.6075, 0.91125],
        [0.22, 0.33, 0.495, 0.7425, 1.11375]
      ),
      (.simple, [1, 2, 4], [1, 2, 4], [1, 2, 4]),
    ] as [(RetryPolicy, [Double], [Double], [Double])])
  func delaysOfTheDesign(
    policy: RetryPolicy, middle: [Double], shortest: [Double], longest: [Double]
  ) {
    #expect(policy.maxRetries == middle.count)
    var random = SystemRandomNumberGenerator()
    for attempt in 1...policy.maxRetries {
      var middleOnly = Middle()
      let delay = policy.delay(afterAttempt: attempt, random: &middleOnly)
      #expect(abs(delay - middle[attempt - 1]) < 0.000_001)
      let delays = (1...1_000).map { _ in policy.delay(afterAttempt: attempt, random: &random) }
      // Of a thousand, one is within a fiftieth of each end.
      let (low, high) = (shortest[attempt - 1], longest[attempt - 1])
      let edge = (high - low) / 50 + 0.000_001
      #expect(delays.allSatisfy { $0 > low - 0.000_001 && $0 < high + 0.000_001 })
      #expect(delays.min()! < low + edge)
      #expect(delays.max()! > high - edge)
    }
  }

  @Test(
    "Retry delays grow by the factor, within the jitter and below the ceiling",
    arguments: [RetryPolicy.default, .aggressive, .simple])
  func delays(_ policy: RetryPolicy) {
    var random = SystemRandomNumberGenerator()
    for attempt in [1, 2, 3, 10, 50, Int.max] {
      var mark = policy.firstDelay
      for _ in 1..<min(attempt, 100) { mark = min(mark * policy.factor, policy.ceiling) }
      for _ in 0..<50 {
        let delay = policy.delay(afterAttempt: attempt, random: &random)
        #expect(delay >= mark * (1 - policy.jitter) * 0.999)
        #expect(delay <= min(mark * (1 + policy.jitter) * 1.001, policy.ceiling))
      }
    }
  }
}
