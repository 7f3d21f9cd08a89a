import Clients
import Glibc
import Store
import Synchronization

/// Hints between the programs of a database that something was written, sent and received by
/// NOTIFY.
///
/// They have their own connection and thread, and one hint stands for all writes within 20 ms: a
/// NOTIFY within the transaction that writes would make all transactions of the instance commit one
/// after another.
package final class ChangeHints: StoreHints {
  private static let pause = Duration.milliseconds(20)
  private let core: Core

  package init(_ database: ConnectionString) {
    core = Core(database)
    // The thread ends with its only job.
    StoreThread().perform(.ordinary) { [core] in core.run() }
  }

  deinit { core.wake { $0.isOver = true } }

  package func send() { core.wake { $0.isWanted = true } }
  package func receive(_ body: @escaping @Sendable () -> Void) {
    core.wake { $0.receivers.append(body) }
  }

  /// The state of the thread. It must not hold the hints, because the thread ends with them.
  private final class Core: Sendable {
    struct Contents {
      var receivers: [@Sendable () -> Void] = []
      /// Whether a write wasn't announced yet.
      var isWanted = false
      var isOver = false
    }

    private let database: ConnectionString
    private let contents = Mutex(Contents())
    /// A pipe that can be read when the contents have changed.
    private let (bell, button): (Int32, Int32)

    init(_ database: ConnectionString) {
      self.database = database
      var ends: [Int32] = [-1, -1]
      precondition(pipe(&ends) == 0, "the system has no pipe for hints")
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      (bell, button) = (ends[0], ends[1])
    }

    deinit {
      close(bell)
      close(button)
    }

    func wake(_ change: (inout sending Contents) -> sending Void) {
      contents.withLock(change)
      // A full pipe wakes, too.
      write(button, "!", 1)
    }

    private func takeBell() {
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { bytes in
        while read(bell, bytes.baseAddress, bytes.count) > 0 {}
      }
    }

    func run() {
      while !contents.withLock(\.isOver) {
        do { try converse() } catch {
          // Without hints, everyone notices changes by polling. It is tried again after a second,
          // or with the next write.
          var bell = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
          poll(&bell, 1, 1_000)
          takeBell()
        }
      }
    }

    /// Listens and announces on one connection, until it is lost or the hints end.
    private func converse() throws {
      let wire = try Wire(database, longestWait: .seconds(5))
      // A hint can be lost, so it needn't wait for a disk.
      _ = try wire.run("SET synchronous_commit = off")
      _ = try wire.run("LISTEN lifesignal_change")
      // Hints that were sent in the meantime were missed.
      notifyReceivers()
      var next = ContinuousClock.now
      while true {
        let (isWanted, isOver) = contents.withLock { ($0.isWanted, $0.isOver) }
        if isOver { return }
        let wait = isWanted ? ContinuousClock.now.duration(to: next) : nil
        if let wait, wait <= .zero {
          contents.withLock { $0.isWanted = false }
          next = ContinuousClock.now + ChangeHints.pause
          do { _ = try wire.run("NOTIFY lifesignal_change") } catch {
            contents.withLock { $0.isWanted = true }
            throw error
          }
        } else {
          try wire.wait(for: bell, within: wait)
        }
        takeBell()
        if wire.takeNotifications() { notifyReceivers() }
      }
    }

    private func notifyReceivers() { for receiver in contents.withLock(\.receivers) { receiver() } }
  }
}
