import Clients
import Dispatch
import FoundationEssentials
import PostgresTesting
import Store
import Synchronization
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL transactions", .needsPostgreSQL, .timeLimit(.minutes(1)))
struct TransactionTests {
  @Test("A transaction that conflicts with another transaction runs again on the new data")
  func conflict() throws {
    let fixture = try Fixture()
    let (one, other) = (try fixture.connect(), try fixture.connect())
    var runs = 0
    try one.transaction(.serializable) {
      runs += 1
      try one.countUp("x")
      if runs == 1 { try other.transaction(.queue) { try other.countUp("y") } }
      // Each of the two transactions reads the table before the other one writes to it.
      if runs == 1 {
        try other.transaction(.serializable) {
          _ = try other.count("document")
          try other.countUp("z")
        }
      }
      _ = try one.count("document")
    }
    #expect(try one.counted("x") == 1 && one.counted("z") == 1)
    runs = 0
    try one.transaction(.serializable) {
      runs += 1
      let read = try one.counted("x")
      if runs == 1 { try other.transaction(.serializable) { try other.countUp("x") } }
      #expect(read == runs)
      try one.countUp("x")
    }
    #expect(runs == 2)
    #expect(try one.counted("x") == 3)
  }

  @Test("After a transaction whose first statement fails, the connection can be used again")
  func firstFails() throws {
    let connection = try Fixture().connect()
    for _ in 1...3 {
      #expect(throws: StorageError.self) {
        try connection.transaction(.serializable) {
          _ = try connection.value(Int.self, "SELECT 1 / 0")
        }
      }
      let one = try connection.transaction(.serializable) {
        try connection.value(Int.self, "SELECT 1")
      }
      #expect(one == 1)
    }
  }

  @Test("A transaction whose first commit fails runs again and commits")
  func firstCommitFails() throws {
    let fixture = try Fixture()
    let (one, other) = (try fixture.connect(), try fixture.connect())
    for id in ["x", "y"] { try other.transaction(.serializable) { try other.countUp(id) } }
    var runs = 0
    try one.transaction(.serializable) {
      runs += 1
      _ = try one.counted("x")
      try one.countUp("y")
      guard runs == 1 else { return }
      // Each reads what the other one changes.
      try other.transaction(.serializable) {
        _ = try other.count("document")
        try other.countUp("x")
      }
    }
    #expect(runs == 2)
    #expect(try one.counted("x") == 2 && one.counted("y") == 2)
  }

  @Test("A transaction that conflicts 20 times fails with busy and stores nothing")
  func busy() throws {
    let fixture = try Fixture()
    let (one, other) = (try fixture.connect(), try fixture.connect())
    var runs = 0
    #expect(throws: StorageError.busy) {
      try one.transaction(.serializable) {
        runs += 1
        try one.addChange(7)
        _ = try one.counted("x")
        try other.transaction(.serializable) { try other.countUp("x") }
        try one.countUp("x")
      }
    }
    #expect(runs == 20)
    #expect(try one.counted("x") == 20 && one.count("change") == 0)
  }

  @Test("Two transactions in a deadlock both finish in the end")
  func deadlock() throws {
    let fixture = try Fixture()
    let first = try fixture.connect()
    for id in ["a", "b"] { try first.countUp(id) }
    let barrier = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        let connection = try fixture.connect()
        let ids = index == 0 ? ["a", "b"] : ["b", "a"]
        var runs = 0
        try connection.transaction(.queue) {
          runs += 1
          _ = try connection.rowsChanged(
            by: "UPDATE document SET version = version + 1 WHERE id = ?1", ids[0])
          if runs == 1 {
            barrier[1 - index].signal()
            _ = barrier[index].wait(timeout: .now() + 5)
          }
          try connection.run("UPDATE document SET version = version + 1 WHERE id = ?1", ids[1])
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try first.counted("a") == 3 && first.counted("b") == 3)
  }

  @Test("A statement error that the caller ignores still rolls back the transaction")
  func hiddenError() throws {
    let connection = try Fixture().connect()
    #expect(throws: StorageError.self) {
      try connection.transaction(.serializable) {
        try connection.addChange(1)
        _ = try? connection.run("INSERT INTO document VALUES (0, 'c', 'x', 0, '')")
      }
    }
    #expect(try connection.count("change") == 0)
    try connection.transaction(.serializable) { try connection.addChange(1) }
    #expect(try connection.count("change") == 1)
  }

  @Test(
    "Statements without a result are sent with the next query or the commit; errors appear there"
  )
  func queued() throws {
    let fixture = try Fixture()
    let (connection, eye) = (try fixture.connect(), try fixture.connect())
    let activity = """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = 'server' AND state LIKE 'idle in%'
      """
    let add =
      "INSERT INTO document (account, collection, id, version, json) VALUES (0, 'c', ?1, ?2, '{}')"
    // Queued statements aren't sent before they have to be.
    try connection.transaction(.serializable) {
      for number in 1...200 { try connection.run(add, "\(number)", number) }
      #expect(try connection.count("document") == 200)
      #expect(try eye.value(Int.self, activity) == 1)
    }
    try connection.transaction(.serializable) {
      try connection.run(add, "a", 1)
      #expect(try eye.value(Int.self, activity) == 0)
    }
    #expect(try eye.count("document") == 201)
    // The error appears with the next query or at the end.
    for isAsked in [true, false] {
      var isPast = false
      let error = #expect(throws: StorageError.self) {
        try connection.transaction(.serializable) {
          try connection.run(add, "b", 1)
          try connection.run(add, "a", 1)
          try connection.run(add, "c", 1)
          if isAsked { _ = try connection.count("document") }
          isPast = true
        }
      }
      guard case .serialization = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(isPast != isAsked)
      #expect(try connection.count("document") == 201)
      #expect(!connection.hasFailed)
    }
    // If the transaction throws, its queued statements are discarded.
    #expect(throws: CancellationError.self) {
      try connection.transaction(.serializable) {
        try connection.run(add, "b", 1)
        throw CancellationError()
      }
    }
    #expect(try connection.count("document") == 201)
    try connection.transaction(.serializable) { try connection.run(add, "b", 1) }
    #expect(try eye.count("document") == 202 && !connection.hasFailed)
  }

  @Test("No change is missed when transactions commit in a different order than they began")
  func reverseOrder() throws {
    let fixture = try Fixture()
    let (slow, quick, eye) = (
      try fixture.connect(), try fixture.connect(), try fixture.connect()
    )
    func lastChange() throws -> String {
      try #require(try eye.value(String.self, eye.dialect.lastChange))
    }
    func hasChanged(_ account: Int, since last: String) throws -> Bool? {
      try eye.value(Bool.self, eye.dialect.hasChanged, account, last)
    }
    try quick.addChange(3)
    let start = try lastChange()
    var (seen, version) = ("", try eye.othersVersion())
    try slow.transaction(.queue) {
      try slow.addChange(1)
      try quick.addChange(2)
      // The later change is visible, the earlier one isn't yet.
      #expect(try eye.value(Int.self, "SELECT max(account) FROM change") == 3)
      #expect(try eye.othersVersion() != version)
      #expect(try hasChanged(2, since: start) == true && hasChanged(1, since: start) == false)
      (seen, version) = (try lastChange(), try eye.othersVersion())
      // While the old transaction is open, seen changes aren't reported again, and new ones aren't
      // hidden.
      #expect(try hasChanged(2, since: seen) == false)
      try quick.addChange(4)
      #expect(try hasChanged(4, since: seen) == true)
      #expect(try hasChanged(4, since: lastChange()) == false)
    }
    #expect(try eye.othersVersion() != version)
    #expect(try hasChanged(1, since: seen) == true)
    // Eventually, every change has been seen.
    #expect(try hasChanged(1, since: lastChange()) == false)
    #expect(try hasChanged(3, since: lastChange()) == false)
    // A snapshot from a database that is ahead doesn't belong to this one.
    #expect(try hasChanged(3, since: "9999999:9999999:") == true)
  }

  @Test("Within a transaction the clock equals the database's time")
  func clock() throws {
    let fixture = try Fixture()
    let clock = DatabaseClock()
    let connection = try fixture.connect(clock: clock)
    try connection.transaction(.serializable) {
      let time = try connection.value(Date.self, "SELECT \(DatabaseClock.milliseconds)")
      #expect(clock.now == time)
    }
    #expect(abs(clock.now.timeIntervalSinceNow) < 5)
  }

  @Test("A missing value is sent as a NULL of its type; a text with a zero byte is refused")
  func values() throws {
    let connection = try Fixture().connect()
    for (text, number) in [(String?.none, Int?.none), ("x", 3)] {
      let answer = try connection.row("SELECT ?1 IS NULL, ?2 IS NULL, ?2 + 1", text, number) {
        row throws(StorageError) in
        (try row.read(Bool.self), try row.read(Bool.self), try row.read(Int?.self))
      }
      #expect(answer?.0 == (text == nil) && answer?.1 == (number == nil))
      #expect(answer?.2 == number.map { $0 + 1 })
    }
    #expect(throws: StorageError.serialization("a text holds a zero byte")) {
      try connection.run("SELECT ?1", "a\0b")
    }
  }
}
