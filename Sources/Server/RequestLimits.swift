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

  /// Begins a request of a session; returns `false` if there are too many.
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

  /// Takes one of the attempts that an address has.
  /// - Returns: The seconds until it has another one, or `nil` if it had one.
  func take(_ client: String, now: Date) -> Int? {
    contents.withLock { contents in
      // Full buckets can be dropped. A clock that was set back empties none.
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
