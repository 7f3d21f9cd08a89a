import Domain
import FoundationEssentials
import Synchronization

/// How often anyone may ask.
final class RequestLimits: Sendable {
  /// Requests of one session that are answered at the same time.
  static let inFlight = 32
  /// Tries of one address to sign in, to sign up and the like: so many at once, and one more every few seconds.
  static let burst = 20.0
  static let seconds = 3.0
  /// Passwords that are hashed or wait for it on behalf of nobody who is signed in.
  static let hashes = 8

  private struct Bucket {
    var left: Double
    var date: Date
  }

  private struct Contents {
    var flying: [String: Int] = [:]
    var buckets: [String: Bucket] = [:]
    var hashing = 0
  }

  private let contents = Mutex(Contents())

  /// Begins a request of a session; `false` for one too many.
  func begin(_ session: String) -> Bool {
    contents.withLock { contents in
      guard contents.flying[session, default: 0] < Self.inFlight else { return false }
      contents.flying[session, default: 0] += 1
      return true
    }
  }

  func end(_ session: String) {
    contents.withLock { contents in
      let left = contents.flying[session, default: 1] - 1
      contents.flying[session] = left > 0 ? left : nil
    }
  }

  /// Takes one of the tries that an address has.
  /// - Returns: the seconds until it has one again, or `nil` where it had one.
  func take(_ client: String, now: Date) -> Int? {
    contents.withLock { contents in
      // Full buckets say nothing; a clock that was set back empties none.
      if contents.buckets.count > 10_000 {
        contents.buckets = contents.buckets.filter {
          Self.refilled($0.value, now).left < Self.burst
        }
      }
      var bucket = Self.refilled(
        contents.buckets[client] ?? Bucket(left: Self.burst, date: now), now)
      guard bucket.left >= 1 else {
        contents.buckets[client] = bucket
        return Int(((1 - bucket.left) * Self.seconds).rounded(.up))
      }
      bucket.left -= 1
      contents.buckets[client] = bucket
      return nil
    }
  }

  private static func refilled(_ bucket: Bucket, _ now: Date) -> Bucket {
    let passed = max(0, now.timeIntervalSince(bucket.date))
    return Bucket(left: min(burst, bucket.left + passed / seconds), date: now)
  }

  /// Begins work that takes a password's hash; `false` where too many wait for one.
  func beginHash() -> Bool {
    contents.withLock { contents in
      guard contents.hashing < Self.hashes else { return false }
      contents.hashing += 1
      return true
    }
  }

  func endHash() { contents.withLock { $0.hashing -= 1 } }
}
