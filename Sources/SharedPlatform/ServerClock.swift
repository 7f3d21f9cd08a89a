import Clients
import Domain
package import FoundationEssentials
import ServerProtocol
import Synchronization

/// The server's time, counted from its last answer by a clock of this machine that nobody can set
/// and that goes on while the machine sleeps. So a request can say when it was made, and deadlines
/// are shown as the server will judge them, even if the wall clock is wrong.
package final class ServerClock: Sendable {
  /// What is known after an answer.
  struct Reference: Codable, Equatable {
    var server: String
    /// The digest of the session that was answered.
    var session: String
    var account: User.ID
    var hasGate: Bool
    /// The server's time, in milliseconds since 1970.
    var time: Int64
    /// This machine's clocks when the answer came.
    var boot: String
    var uptime: Double
    var wall: Double
    var era: Int?
    /// The public key to which passphrases are sealed.
    var key: Data?

    /// Whether all but the times is the same.
    func hasSameAccount(as other: Self) -> Bool {
      (session, account, hasGate, key)
        == (other.session, other.account, other.hasGate, other.key)
    }
  }

  /// Keeps the reference for the next program.
  package struct Keeper: Sendable {
    package var load: @Sendable () -> Data?
    package var keep: @Sendable (Data) -> Void

    package init(
      load: @escaping @Sendable () -> Data? = { nil },
      keep: @escaping @Sendable (Data) -> Void = { _ in }
    ) {
      (self.load, self.keep) = (load, keep)
    }
  }

  private struct Contents {
    var reference: Reference?
    var isLoaded = false
    /// How far the server's clock was ahead when it last answered; `nil` if no answer has said.
    var answeredLead: TimeSpan?
    /// Whether ``answeredLead`` is by the clock of the server's store, which judges deadlines.
    var isByStore = false
    var shownLead = TimeSpan.zero
    /// The uptime at which it was last kept.
    var keptAt: Double?
  }

  /// How much the wall clock and the uptime can disagree about the time since the reference: by
  /// more, a virtual machine was stopped in between, or the clock was set.
  private static let tolerance = 30.0
  /// How long an exchange can have taken whose answer counts, in seconds.
  private static let longestExchange = 5.0
  /// How often it is kept, in seconds.
  private static let keepInterval = 300.0

  private let server: String
  private let keeper: Keeper
  private let now: @Sendable () -> Date
  private let uptime: @Sendable () -> Uptime?
  private let contents = Mutex(Contents())

  init(
    of server: String, keeper: Keeper, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime?
  ) {
    (self.server, self.keeper, self.now, self.uptime) = (server, keeper, now, uptime)
  }

  /// Notes what an answer says. Another program may have noted a later one; that makes no
  /// difference.
  /// - Parameter start: The uptime when the request was sent. An answer that took long may have lain
  ///   here while the machine slept.
  func note(_ text: String?, session: String, since start: Uptime?) {
    guard let text, let answer = ServerReference(text) else { return }
    guard let uptime = uptime() else {
      return contents.withLock { contents in
        contents.answeredLead = TimeSpan(from: now(), to: answer.time)
        contents.isByStore = true
      }
    }
    guard let start, start.boot == uptime.boot,
      uptime.seconds - start.seconds <= Self.longestExchange
    else { return }
    let reference = Reference(
      server: server, session: session, account: answer.account, hasGate: answer.hasGate,
      time: Int64(answer.time.timeIntervalSince1970 * 1_000), boot: uptime.boot,
      uptime: uptime.seconds, wall: now().timeIntervalSince1970, era: answer.era,
      key: answer.key)
    let isDue = contents.withLock { contents in
      // The next program must know at once whether there is a gate, and whose.
      let isNews = contents.reference.map { !$0.hasSameAccount(as: reference) } ?? true
      contents.reference = reference
      contents.isLoaded = true
      let isOld = contents.keptAt.map { uptime.seconds - $0 >= Self.keepInterval } ?? true
      guard isOld || isNews else { return false }
      contents.keptAt = uptime.seconds
      return true
    }
    if isDue, let bytes = try? JSONEncoder().encode(reference) { keeper.keep(bytes) }
  }

  private var reference: Reference? {
    contents.withLock { contents in
      if !contents.isLoaded {
        contents.isLoaded = true
        contents.reference = keeper.load().flatMap {
          try? JSONDecoder().decode(Reference.self, from: $0)
        }
      }
      guard contents.reference?.server == server else { return nil }
      return contents.reference
    }
  }

  /// The server's time now; `nil` if no answer was noted since this machine was started, or its
  /// clocks disagree about the time since.
  var time: Date? {
    guard let reference, let uptime = uptime(), uptime.boot == reference.boot else { return nil }
    let passed = uptime.seconds - reference.uptime
    let passedOnWall = now().timeIntervalSince1970 - reference.wall
    guard passed >= 0, abs(passedOnWall - passed) <= Self.tolerance else { return nil }
    return Date(timeIntervalSince1970: Double(reference.time) / 1_000 + passed)
  }

  /// Notes how far the server's clock was ahead by the date of an answer, which may not be that of
  /// its store.
  func note(lead: TimeSpan?) {
    guard let lead else { return }
    contents.withLock { contents in
      if !contents.isByStore { contents.answeredLead = lead }
    }
  }

  /// How far the server's clock is ahead of this machine's, as far as is known. It doesn't follow
  /// differences that the time of an exchange can make, so that no countdown jumps back and forth.
  var lead: TimeSpan {
    let counted = (time ?? estimate).map { TimeSpan(from: now(), to: $0) }
    return contents.withLock { contents in
      let lead = counted ?? contents.answeredLead ?? .zero
      if abs(lead.seconds - contents.shownLead.seconds) > Int(Self.longestExchange) {
        contents.shownLead = lead
      }
      return contents.shownLead
    }
  }

  /// The latest that the server's time can be while this machine's clocks disagree about the time
  /// since its last answer, so that nobody seems to have more time left than they have; `nil` if
  /// there was no answer.
  private var estimate: Date? {
    guard let reference else { return nil }
    let uptime = uptime().flatMap { $0.boot == reference.boot ? $0.seconds : nil }
    let passed = uptime.map { $0 - reference.uptime } ?? 0
    let passedOnWall = now().timeIntervalSince1970 - reference.wall
    return Date(
      timeIntervalSince1970: Double(reference.time) / 1_000 + max(0, passed, passedOnWall))
  }

  /// The time by the server's clock, as far as it is known.
  var nowOnServer: Date { now() + lead }

  /// Whether a request needs to ask the server for its time before.
  var isUnknown: Bool { uptime() != nil && time == nil }

  /// Whether the server said its time, and this machine's clocks disagree about the time since.
  var isInDoubt: Bool { reference != nil && isUnknown }

  /// A request that is made now.
  func begin() -> Start {
    let after = reference.map { Date(timeIntervalSince1970: Double($0.time) / 1_000) }
    return Start(after: after, at: time, era: reference?.era, uptime: uptime(), wall: now())
  }

  /// When a request was made, by all that is known then.
  package struct Start: Codable, Equatable, Sendable {
    var after: Date?
    var at: Date?
    var era: Int?
    var uptime: Uptime?
    package var wall: Date
  }

  /// The time since the machine was started; `nil` if nobody knows.
  var machine: Uptime? { uptime() }

  /// Returns what to send with an attempt that begins now. The wall clock may have been set since
  /// the request was made, so its age is counted by the time since the machine was started.
  func madeHeader(_ start: Start) -> (name: String, value: String) {
    header(start, age: uptimeAge(of: start) ?? now().timeIntervalSince(start.wall))
  }

  /// Returns what to send with a request that was kept in a file. The larger age counts, because a
  /// virtual machine may have been stopped in between. After a restart nobody knows it: the wall
  /// clock may have been wrong then, or be wrong now.
  func keptHeader(_ start: Start) -> (name: String, value: String) {
    header(start, age: age(of: start))
  }

  /// How many seconds ago a request was made at least; `nil` if the machine was restarted since.
  func age(of start: Start) -> Double? {
    uptimeAge(of: start).map { max(0, $0, now().timeIntervalSince(start.wall)) }
  }

  /// How many seconds ago a request was made by the time since the machine was started, whatever
  /// happened to the wall clock; `nil` if the machine was restarted since.
  func uptimeAge(of start: Start) -> Double? {
    guard let begin = start.uptime, let uptime = uptime(), uptime.boot == begin.boot else {
      return nil
    }
    return uptime.seconds - begin.seconds
  }

  private func header(_ start: Start, age: Double?) -> (name: String, value: String) {
    let made = RequestTime(
      after: start.after, at: start.at, age: age.map { max(0, $0) }, era: start.era)
    return ("LifeSignal-Made", made.header)
  }

  /// The account of a session, if the server has named it.
  /// - Parameter session: The digest of its token.
  func account(of session: String) -> User.ID? {
    reference.flatMap { $0.session == session ? $0.account : nil }
  }

  /// The server's key to which the passphrases of a session are sealed; `nil` if it hasn't said.
  /// - Parameter session: The digest of its token.
  func sealingKey(of session: String) -> Data? {
    reference.flatMap { $0.session == session ? $0.key : nil }
  }

  /// Whether the server said of a session that its account has a gate.
  /// - Parameter session: The digest of its token.
  func hasGate(of session: String) -> Bool {
    reference.map { $0.session == session && $0.hasGate } ?? false
  }
}

extension TimeSpan {
  /// The time from one date to another, rounded to seconds.
  fileprivate init(from start: Date, to end: Date) {
    self.init(seconds: Int(bounded: end.timeIntervalSince(start).rounded()))
  }
}
