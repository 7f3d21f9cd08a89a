import Clients
package import Domain
package import FoundationEssentials
import ServerProtocol
import Synchronization

/// The server's time, counted from its last answer by a clock of this machine that nobody can set
/// and that goes on while the machine sleeps. So a request can say when it was made even if the wall
/// clock is wrong.
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
    guard let text, let answer = ServerReference(text), let uptime = uptime(),
      let start, start.boot == uptime.boot, uptime.seconds - start.seconds <= Self.longestExchange
    else { return }
    let reference = Reference(
      server: server, session: session, account: answer.account, hasGate: answer.hasGate,
      time: Int64(answer.time.timeIntervalSince1970 * 1_000), boot: uptime.boot,
      uptime: uptime.seconds, wall: now().timeIntervalSince1970, era: answer.era)
    let isDue = contents.withLock { contents in
      contents.reference = reference
      contents.isLoaded = true
      guard contents.keptAt.map({ uptime.seconds - $0 >= Self.keepInterval }) ?? true else {
        return false
      }
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

  /// Whether a request needs to ask the server for its time before.
  var isUnknown: Bool { uptime() != nil && time == nil }

  /// A request that is made now.
  func begin() -> Start {
    let after = reference.map { Date(timeIntervalSince1970: Double($0.time) / 1_000) }
    return Start(after: after, at: time, era: reference?.era, uptime: uptime(), wall: now())
  }

  /// When a request was made, by all that is known then.
  struct Start: Sendable {
    var after: Date?
    var at: Date?
    var era: Int?
    var uptime: Uptime?
    var wall: Date
  }

  /// The time since the machine was started; `nil` if nobody knows.
  var machine: Uptime? { uptime() }

  /// Returns what to send with an attempt that begins now. The wall clock may have been set since
  /// the request was made, so its age is counted by the time since the machine was started.
  func madeHeader(_ start: Start) -> String {
    var age = now().timeIntervalSince(start.wall)
    if let begin = start.uptime, let uptime = uptime(), uptime.boot == begin.boot {
      age = uptime.seconds - begin.seconds
    }
    return "LifeSignal-Made: "
      + RequestTime(after: start.after, at: start.at, age: max(0, age), era: start.era).header
  }
}
