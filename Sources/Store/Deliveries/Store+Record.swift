import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The result of an attempt, on its way to the disk.
struct PendingRecord: Sendable {
  var delivery: UUID
  var token: UUID
  var outcome: DeliveryOutcome
  var retryAt: Date?
  var now: Date
}

/// The records that wait for the store.
///
/// A message that was accepted and isn't recorded yet is sent again if the process is killed just
/// then. So records go before all other work, and those that arrive in the meantime are written
/// together: what takes time is waiting for the disk, once for all of them.
final class PendingRecords: Sendable {
  typealias Waiting = (
    record: PendingRecord, answer: CheckedContinuation<Result<Bool, StorageError>, Never>
  )

  private let waiting = Mutex<[Waiting]>([])

  func add(_ one: Waiting) { waiting.withLock { $0.append(one) } }

  /// Writes all waiting records, together if possible.
  func write(_ write: ([PendingRecord]) throws(StorageError) -> [Bool]) {
    let waiting = takeAll()
    guard !waiting.isEmpty else { return }
    do throws(StorageError) {
      let answers = try write(waiting.map(\.record))
      for (one, answer) in zip(waiting, answers) { one.answer.resume(returning: .success(answer)) }
    } catch {
      // A fault in one record must not keep the others from being written (ESC-6). A lock is no
      // record's fault: each try would wait for it again, and so would everyone behind.
      var verdict = waiting.count == 1 || error == .busy ? error : nil
      for one in waiting {
        let result =
          verdict.map(Result<Bool, StorageError>.failure)
          ?? Result { () throws(StorageError) in try write([one.record])[0] }
        if case .failure(.busy) = result { verdict = .busy }
        one.answer.resume(returning: result)
      }
    }
  }

  private func takeAll() -> [Waiting] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

extension Store {
  /// Records the result of an attempt, in one transaction with the other records that wait.
  nonisolated func record(batching record: PendingRecord) async throws(StorageError) -> Bool {
    let result = await withCheckedContinuation {
      (answer: CheckedContinuation<Result<Bool, StorageError>, Never>) in
      lane.pendingRecords.add((record, answer))
      lane.executor.perform(.urgent) { [self] in assumeIsolated { $0.writeRecords() } }
    }
    return try result.get()
  }

  private func writeRecords() {
    lane.pendingRecords.write { records throws(StorageError) in
      try write(StorageError.self, as: .queue) {
        let changes = try records.map(record)
        try touch(all: changes.compactMap(\.self), isDue: true)
        return changes.map { $0 != nil }
      }
    }
  }
}
