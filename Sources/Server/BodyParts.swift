import Domain
import FoundationEssentials
import Synchronization

/// Bodies that are too large for one request, and arrive in parts before the request that they
/// belong to. A slow connection then loses one part and not a whole file.
final class BodyParts: Sendable {
  /// The largest size of a part, in bytes.
  static let partSize = 256 << 10
  /// The largest size of a body, in bytes: that of the largest picture or document, in base64.
  static let limit = 15 << 20
  /// The largest size of all bodies together, in bytes.
  static let total = 64 << 20
  /// How long a body is kept at least while others need its room, since its first part and since
  /// its last one: a few accounts can't take the room of all others.
  static let turn = TimeSpan.seconds(60)
  static let pause = TimeSpan.seconds(5)
  /// The time after which an unfinished body is dropped.
  static let timeout = TimeSpan.minutes(10)

  private struct Body {
    var data = Data()
    var parts = 0
    var begun: Date
    var date: Date
  }

  private struct Key: Hashable {
    var account: Int
    var id: UUID
  }

  private let bodies = Mutex<[Key: Body]>([:])

  /// Adds a part; one that has arrived before is ignored.
  /// - Returns: The HTTP status.
  func add(_ part: [UInt8], number: Int, to id: UUID, of account: Int, now: Date) -> Int {
    bodies.withLock { bodies in
      bodies = bodies.filter { $0.value.date > now - Self.timeout }
      let key = Key(account: account, id: id)
      // An account has one body at a time.
      bodies = bodies.filter { $0.key.account != account || $0.key == key }
      var body = bodies[key] ?? Body(begun: now, date: now)
      guard number >= body.parts else { return 204 }
      guard number == body.parts else { return 409 }
      guard part.count <= Self.partSize, body.data.count + part.count <= Self.limit else {
        return 413
      }
      while bodies.values.reduce(part.count, { $0 + $1.data.count }) > Self.total {
        let spent = bodies.filter {
          $0.key != key
            && ($0.value.begun <= now - Self.turn || $0.value.date <= now - Self.pause)
        }
        guard let oldest = spent.min(by: { $0.value.begun < $1.value.begun }) else { return 429 }
        bodies[oldest.key] = nil
      }
      body.data += part
      body.parts += 1
      body.date = now
      bodies[key] = body
      return 204
    }
  }

  /// Returns a body if all of its parts are here. It stays until ``remove(_:of:)``, because the
  /// request may be repeated.
  func body(_ id: UUID, parts: Int, of account: Int) -> Data? {
    bodies.withLock { bodies in
      guard let body = bodies[Key(account: account, id: id)], body.parts == parts else {
        return nil
      }
      return body.data
    }
  }

  func remove(_ id: UUID, of account: Int) {
    bodies.withLock { $0[Key(account: account, id: id)] = nil }
  }
}
