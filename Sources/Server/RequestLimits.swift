import Domain
import FoundationEssentials
import Synchronization

/// Limits on how often anyone can send requests.
final class RequestLimits: Sendable {
  /// The largest number of one session's requests in progress.
  static let inFlight = 32
  /// The attempts of one address to sign in, to sign up and the like: this many at once, and
  /// another one after each ``seconds``.
  static let burst = 20.0
  static let seconds = 3.0
  /// The largest number of passwords that are hashed, or wait for it, for callers who aren't signed
  /// in.
  static let hashes = 8

  /// The largest number of requests in progress that read or write much: of one account, and of all.
  static let heavyOfOne = 4
  static let heavy = 12
  /// The imports of one account: this many at once, and another one after each ``importSeconds``.
  static let imports = 5.0
  static let importSeconds = 4.0 * 3_600

  private struct Bucket {
    var left: Double
    var date: Date
    /// How many it can hold, and how long each takes to come back.
    let burst, seconds: Double

    func refilled(_ now: Date) -> Bucket {
      var bucket = self
      bucket.left = min(burst, left + max(0, now.timeIntervalSince(date)) / seconds)
      bucket.date = now
      return bucket
    }
  }

  private struct Contents {
    var flying: [String: Int] = [:]
    var buckets: [String: Bucket] = [:]
    var hashing = 0
    var heavy: [Int: Int] = [:]
    var lastImports: [Int: UUID] = [:]
  }

  private let contents = Mutex(Contents())

  /// Begins a request of a session; returns `false` if there are too many.
  func begin(_ session: String) -> Bool {
    contents.withLock { contents in
      guard contents.flying[session, default: 0] < Self.inFlight else { return false }
      contents.flying[session, default: 0] += 1
      return true
    }
  }

  func end(_ session: String) {
    contents.withLock { $0.flying.release(session) }
  }

  /// Takes one of the attempts that an address has.
  /// - Returns: The seconds until it has another one, or `nil` if it had one.
  func take(_ client: String, now: Date) -> Int? {
    take(client, of: Self.burst, every: Self.seconds, now: now)
  }

  /// Whether an account can import.
  enum ImportTurn: Equatable {
    case taken
    /// The request is one that has taken its turn already.
    case repeated
    /// The seconds until it has another turn.
    case wait(Int)
  }

  /// Takes one of the imports that an account has.
  func takeImport(_ account: Int, key: UUID?, now: Date) -> ImportTurn {
    let isRepeated = contents.withLock { contents in
      let last = contents.lastImports[account]
      contents.lastImports[account] = key
      return key != nil && last == key
    }
    if isRepeated { return .repeated }
    let wait = take("import \(account)", of: Self.imports, every: Self.importSeconds, now: now)
    return wait.map(ImportTurn.wait) ?? .taken
  }

  /// Gives back the import of a request that was refused.
  func giveBackImport(_ account: Int) {
    contents.withLock { contents in
      contents.lastImports[account] = nil
      contents.buckets["import \(account)"]?.left += 1
    }
  }

  private func take(_ client: String, of burst: Double, every seconds: Double, now: Date) -> Int? {
    contents.withLock { contents in
      // Full buckets can be dropped. A clock that was set back empties none.
      if contents.buckets.count > 10_000 {
        contents.buckets = contents.buckets.filter { $0.value.refilled(now).left < $0.value.burst }
      }
      var bucket =
        (contents.buckets[client]
        ?? Bucket(left: burst, date: now, burst: burst, seconds: seconds)).refilled(now)
      guard bucket.left >= 1 else {
        contents.buckets[client] = bucket
        return Int(((1 - bucket.left) * seconds).rounded(.up))
      }
      bucket.left -= 1
      contents.buckets[client] = bucket
      return nil
    }
  }

  /// Begins a request that reads or writes much; returns `false` if there are too many.
  func beginHeavy(_ account: Int) -> Bool {
    contents.withLock { contents in
      guard contents.heavy[account, default: 0] < Self.heavyOfOne,
        contents.heavy.values.reduce(0, +) < Self.heavy
      else { return false }
      contents.heavy[account, default: 0] += 1
      return true
    }
  }

  func endHeavy(_ account: Int) {
    contents.withLock { $0.heavy.release(account) }
  }

  /// Begins work that hashes a password; returns `false` if too many wait.
  func beginHash() -> Bool {
    contents.withLock { contents in
      guard contents.hashing < Self.hashes else { return false }
      contents.hashing += 1
      return true
    }
  }

  func endHash() { contents.withLock { $0.hashing -= 1 } }
}

extension Dictionary where Value == Int {
  /// Counts one less of what was begun; forgets a key that has none left.
  fileprivate mutating func release(_ key: Key) {
    let left = self[key, default: 1] - 1
    self[key] = left > 0 ? left : nil
  }
}
