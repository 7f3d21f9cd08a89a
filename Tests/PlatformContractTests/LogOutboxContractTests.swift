import Clients
import FoundationEssentials
import Testing

@Suite("LogOutboxClient", .timeLimit(.minutes(1)))
struct LogOutboxContractTests {
  private func note(_ numbers: ClosedRange<Int>, in world: World) async {
    for number in numbers {
      await world.errorLogger.write(
        LogEntry(
          timestamp: World.start, level: .error, code: "STORE_BUSY", message: "StorageError.busy",
          context: .init(function: "f", file: "x.swift", line: number)))
    }
  }

  private func lines(_ batch: LogBatch?) -> [Int]? { batch?.entries.map(\.context.line) }

  @Test(
    "Log lines are read in the order written until they are marked as sent",
    arguments: Platform.allCases)
  func order(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(await world.logOutbox.next(10) == nil)
    await note(1...5, in: world)
    let first = try #require(await world.logOutbox.next(2))
    #expect(lines(first) == [1, 2])
    #expect(await world.logOutbox.next(2) == first, "they were not removed")
    #expect(lines(await world.logOutbox.next(3)) == [1, 2, 3])
    try await world.logOutbox.markSent(first)
    let second = try #require(await world.logOutbox.next(10))
    #expect(lines(second) == [3, 4, 5])
    #expect(second.id != first.id)
    try await world.logOutbox.markSent(second)
    #expect(await world.logOutbox.next(10) == nil)
    await note(6...6, in: world)
    #expect(lines(await world.logOutbox.next(10)) == [6])
    // The log itself keeps all its entries.
    #expect(await world.errorLogger.entries(.error, 10).count == 6)
  }

  @Test(
    "Lines that one program has sent aren't sent by another program", arguments: Platform.allCases)
  func otherProgram(_ platform: Platform) async throws {
    let world = try World(platform)
    let other = try world.second()
    await note(1...3, in: world)
    try await world.logOutbox.markSent(try #require(await world.logOutbox.next(2)))
    #expect(lines(await other.logOutbox.next(10)) == [3])
  }

  @Test("Only one program sends the log at a time", arguments: Platform.allCases)
  func claim(_ platform: Platform) async throws {
    let world = try World(platform)
    let other = try world.second()
    #expect(await world.logOutbox.claim())
    #expect(await !world.logOutbox.claim())
    #expect(await !other.logOutbox.claim())
    await world.logOutbox.release()
    #expect(await other.logOutbox.claim())
    #expect(await !world.logOutbox.claim())
    await other.logOutbox.release()
    await other.logOutbox.release()
    #expect(await world.logOutbox.claim())
  }
}
