import Clients
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import SQLite
@testable import Store

@Suite("ESC-6: records written in one batch", .timeLimit(.minutes(1)))
struct PendingRecordsTests {
  typealias Answer = Result<Bool, StorageError>

  /// Queues some records and writes them when the last one has arrived.
  /// - Returns: The answer to each record, and the number of records in each write.
  private func record(
    _ count: Int,
    _ write: @escaping @Sendable ([PendingRecord]) throws(StorageError) -> [Bool]
  ) async -> (answers: [UUID: Answer], tries: [Int]) {
    let pending = PendingRecords()
    let counts = Counts()
    let answers = await withTaskGroup(of: (UUID, Answer).self) { group in
      for number in 1...count {
        group.addTask {
          let record = PendingRecord(
            delivery: .numbered(number), token: UUID(), outcome: .sent, now: Place.start)
          let answer = await withCheckedContinuation { (answer: CheckedContinuation<Answer, _>) in
            pending.add((record, answer))
            guard counts.add() == count else { return }
            pending.write { records throws(StorageError) in
              counts.note(records.count)
              return try write(records)
            }
          }
          return (record.delivery, answer)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    return (answers, counts.tries)
  }

  @Test("A batch of 20 records waits for a locked store only once")
  func locked() async {
    let (answers, tries) = await record(20) { _ throws(StorageError) in throw .busy }
    #expect(answers.count == 20)
    #expect(answers.values.filter { $0 == .failure(.busy) }.count == 20)
    #expect(tries == [20])
  }

  @Test("A record that can't be written fails alone, whatever the error")
  func impossible() async {
    for error in [StorageError.serialization("a value"), .full] {
      let (answers, tries) = await record(5) { records throws(StorageError) in
        if records.contains(where: { $0.delivery == .numbered(3) }) { throw error }
        return records.map { _ in true }
      }
      #expect(tries == [5, 1, 1, 1, 1, 1])
      for (id, answer) in answers {
        #expect(answer == (id == .numbered(3) ? .failure(error) : .success(true)))
      }
    }
  }

  @Test("Records that are retried one by one wait for a locked store only once")
  func lockedMeanwhile() async {
    let (answers, tries) = await record(5) { records throws(StorageError) in
      throw records.count > 1 ? .serialization("a value") : .busy
    }
    #expect(answers.values.filter { $0 == .failure(.busy) }.count == 5)
    #expect(tries == [5, 1])
  }
}

/// The number of records added, and the number in each write.
private final class Counts: Sendable {
  private let counts = Mutex<(added: Int, tries: [Int])>((0, []))

  var tries: [Int] { counts.withLock { $0.tries } }
  func note(_ records: Int) { counts.withLock { $0.tries.append(records) } }

  func add() -> Int {
    counts.withLock { counts in
      counts.added += 1
      return counts.added
    }
  }
}

extension UUID {
  fileprivate static func numbered(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }
}
