import Clients
import Glibc
import Store
import Synchronization

/// Says to the other programs of a database that something was written, by NOTIFY, and hears it from them.
///
/// It has a connection and a thread of its own, and says what came within 20 ms at once: a NOTIFY within the
/// transaction that writes would have all transactions of the instance commit one after the other.
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

  /// What the thread holds; it must not hold the hints, whose end is its own.
  private final class Core: Sendable {
    struct Contents {
      var receivers: [@Sendable () -> Void] = []
      /// Whether something was written of which nothing is said yet.
      var isWanted = false
      var isOver = false
    }

    private let database: ConnectionString
    private let contents = Mutex(Contents())
    /// A pipe that can be read once the contents have changed.
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
      // One that is full wakes, too.
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
          // Without hints everybody hears by looking. It is tried again after a second, or with the next write.
          var bell = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
          poll(&bell, 1, 1_000)
          takeBell()
        }
      }
    }

    /// Listens and says on one connection, until it is lost or all is over.
    private func converse() throws {
      let wire = try Wire(database, longestWait: .seconds(5))
      // A hint may be lost, and waits for no disk.
      _ = try wire.run("SET synchronous_commit = off")
      _ = try wire.run("LISTEN lifesignal_change")
      // What was said in the meantime was not heard.
      tell()
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
        if wire.takeNotifications() { tell() }
      }
    }

    private func tell() { for receiver in contents.withLock(\.receivers) { receiver() } }
  }
}
