import AllocationCounter
import Clients
import struct Composable.DependencyValues
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

/// Runs each job at once on the thread that enqueues it, so that all of a task runs on one thread.
private final class SameThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// What reading a hundred users costs, as a budget. Allocations are counted for each thread, so all
/// of it runs on one.
@MainActor @Suite struct HundredUsersTests {
  @Test("Reading 100 users takes at most 10 % more allocations than one user 100 times")
  func budget() async throws {
    let now = Date(timeIntervalSince1970: 1_795_248_000)
    let first = EmbeddedPlatform.inMemory(now: { now })
    var users: [UserClient] = []
    for number in 0..<100 {
      var values = DependencyValues()
      let email = "u\(number)@example.org"
      (number == 0 ? first : first.with(account: email)).install(in: &values)
      let user = try await values.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "User \(number)"),
          credentials: Credentials(email: email, password: Secret("four random words"))))
      users.append(values.userClient)
      #expect(try await values.userClient.currentUser() == user)
    }

    func cost(of clients: [UserClient]) async throws -> Int64 {
      try await Task.detached(executorPreference: SameThread()) {
        while true {
          let (thread, before) = (pthread_self(), allocation_count())
          for client in clients { _ = try await client.currentUser() }
          // Again if another thread was still in the store: it goes on with what it finds there.
          if thread == pthread_self() { return allocation_count() - before }
        }
      }.value
    }
    let one = try await cost(of: Array(repeating: users[0], count: 100))
    let hundred = try await cost(of: users)
    #expect(hundred <= one + one / 10, "\(hundred) instead of \(one)")
    // 358 each in a debug build, 34 where the store is optimized, as in continuous integration.
    #expect(one > 100 * 20 && one < 100 * 500, "\(one)")
  }
}
