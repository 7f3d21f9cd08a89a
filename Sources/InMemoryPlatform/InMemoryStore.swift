import Clients
import Domain
import FoundationEssentials
import Synchronization

/// Everything that the embedded store keeps in its file, as values behind a lock.
///
/// A write and the word of it to all observers are one step, so that tests see changes in the order
/// in which they were made and never wait.
final class InMemoryStore: Sendable {
  let now: @Sendable () -> Date
  let makeUUID: @Sendable () -> UUID
  let clock: any Clock<Duration>
  /// The place in front of the store that this program takes.
  let seat: Seat
  private let shared: Shared
  var errorLog: ErrorLog { shared.errorLog }

  init(
    now: @escaping @Sendable () -> Date, makeUUID: @escaping @Sendable () -> UUID,
    clock: any Clock<Duration>
  ) {
    self.now = now
    self.makeUUID = makeUUID
    self.clock = clock
    seat = Seat(address: nil)
    shared = Shared()
  }

  /// Another program's place in front of the same store.
  init(beside other: InMemoryStore, seat: Seat) {
    now = other.now
    makeUUID = other.makeUUID
    clock = other.clock
    self.seat = seat
    shared = other.shared
  }

  private final class Shared: Sendable {
    let contents = Mutex(Contents())
    let errorLog = ErrorLog()

    deinit {
      contents.withLock { contents in
        for timer in contents.leaseTimers.values { timer.cancel() }
      }
    }
  }

  struct Contents {
    /// The account of whoever reads or writes now.
    fileprivate(set) var signedIn: User.ID?
    /// Who is signed in, by the token.
    var sessions: [String: StoredSession] = [:]
    /// Wrong tries in a row, by the place where they were made (AUTH-3).
    var wrongTries: [String: (count: Int, last: Date)] = [:]
    var passwordResets: [User.ID: (code: String, expiresAt: Date)] = [:]
    var accounts = Accounts()
    /// Oldest first.
    var relations: [StoredRelation] = []
    /// The account of each delivery that was ever claimed.
    var deliveryAccounts: [UUID: User.ID] = [:]
    var monitors: [UUID: MonitorLease] = [:]
    /// Since when somebody has watched without a gap, and until when (ESC-4).
    var watch: (since: Date, lastSeen: Date)?
    /// Somebody watches for as long as this store lives, and need not show it.
    var isWatchedFromWithin = false
    /// Under `nil` what was typed before there was an account.
    var documentsByAccount: [User.ID?: [DocumentPath: Document]] = [:]
    var secrets: [String: String] = [:]
    /// What would wait in files, were this store one that can fail (ALT-7).
    var spooled: [SpooledAlert] = []

    /// Those of the signed-in account.
    var documents: [DocumentPath: Document] {
      get { documentsByAccount[signedIn] ?? [:] }
      set { documentsByAccount[signedIn] = newValue }
    }

    fileprivate var observers: [Observer] = []
    fileprivate var changeObservers: [AsyncStream<Void>.Continuation] = []
    fileprivate var leaseTimers: [UUID: Task<Void, Never>] = [:]
  }

  /// What a write was about.
  enum Change {
    /// Something that a monitor may have to act on.
    case duties
    /// All else, such as a sign of life; monitors need not wake for it.
    case other
  }

  /// Who reads or writes.
  enum Reader {
    /// Whoever is signed in at this seat.
    case person
    /// A monitor, which serves all accounts and is nobody's.
    case monitor
  }

  func read<Value: Sendable, Failure: Error>(
    as reader: Reader = .person, _ body: (Contents) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try shared.contents.withLock { contents throws(Failure) in
      identify(reader, in: &contents)
      return try body(contents)
    }
  }

  private func identify(_ reader: Reader, in contents: inout Contents) {
    contents.signedIn = reader == .person ? contents.account(at: seat, now: now()) : nil
  }

  /// Changes the contents and tells everybody who observes. The body must not have changed anything
  /// when it throws, nor when it returns what `isNothing` says.
  func write<Value: Sendable, Failure: Error>(
    _ change: Change = .duties, as reader: Reader = .person,
    unless isNothing: (Value) -> Bool = { _ in false },
    _ body: (inout Contents) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let (value, endings) = try shared.contents.withLock {
      contents throws(Failure) -> (Value, [Ending]) in
      identify(reader, in: &contents)
      let value = try body(&contents)
      guard !isNothing(value) else { return (value, []) }
      var endings: [Ending] = []
      let observers = contents.observers
      contents.observers = observers.filter { observer in
        if observer.isGone.load(ordering: .relaxed) { return false }
        guard let ending = observer.show(&contents) else { return true }
        endings.append(ending)
        return false
      }
      if change == .duties {
        contents.changeObservers.removeAll { observer in
          if case .terminated = observer.yield() { true } else { false }
        }
      }
      return (value, endings)
    }
    for end in endings { end() }
    return value
  }

  /// Somebody who is shown the contents.
  ///
  /// Who goes only says so, and is taken out by the next write. A stream ends while its task is
  /// locked, and a write that tells it needs that lock: neither may wait for the other.
  fileprivate final class Observer: Sendable {
    let isGone = Atomic(false)
    /// What it returns ends the observation, and is called without the lock because ending a stream
    /// calls back.
    let show: @Sendable (inout Contents) -> Ending?

    init(show: @escaping @Sendable (inout Contents) -> Ending?) { self.show = show }
  }

  fileprivate typealias Ending = @Sendable () -> Void

  /// A value now and after every change, without repeating an equal one.
  func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (Contents) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let last = Mutex<Value?>(nil)
      let observer = Observer { [seat, now] contents in
        contents.signedIn = contents.account(at: seat, now: now())
        do {
          let value = try read(contents)
          let isNew = last.withLock { last in
            defer { last = value }
            return last != value
          }
          if isNew { continuation.yield(value) }
          return nil
        } catch {
          return { continuation.finish(throwing: error) }
        }
      }
      let ending = shared.contents.withLock { contents in
        let ending = observer.show(&contents)
        if ending == nil { contents.observers.append(observer) }
        return ending
      }
      if let ending { return ending() }
      continuation.onTermination = { _ in observer.isGone.store(true, ordering: .relaxed) }
    }
  }

  func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      shared.contents.withLock { $0.changeObservers.append(continuation) }
    }
  }

  /// Tells the observers when a monitor's lease has run out, since nobody writes then.
  func expectEnd(ofLeaseOf monitor: UUID, at end: Date) {
    let wait = Duration.seconds(max(0, end.timeIntervalSince(now())))
    let timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      self?.write(.other) { _ in }
    }
    shared.contents.withLock { $0.leaseTimers.updateValue(timer, forKey: monitor) }?.cancel()
  }

  func expectNoEnd(ofLeaseOf monitor: UUID) {
    shared.contents.withLock { $0.leaseTimers.removeValue(forKey: monitor) }?.cancel()
  }
}

/// A monitor's sign of life.
struct MonitorLease: Equatable, Sendable {
  var lastSeen: Date
  var leasedUntil: Date
  var problem: MonitorProblem?
}
