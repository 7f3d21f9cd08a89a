import Clients
import Dispatch
import Domain
import Glibc
import Synchronization

/// Ends a monitor with the program that started it, whose end of the pipe on standard input closes
/// then.
///
/// From that moment it isn't one of those that watch: other programs start theirs. But it goes on
/// taking turns for a while, and sends calls for help first.
final class Leash: Sendable {
  private struct Contents {
    var upkeep: UpkeepClient?
    var resign: (@Sendable () async -> Void)?
    var isOver = false
  }

  private let contents = Mutex(Contents())

  /// How long it goes on in any case, also for calls that nobody must notice.
  static let grace = Duration.seconds(120)
  /// How long it goes on for calls that can't be sent.
  static let limit = Duration.seconds(3_600)

  /// Whether the program that started it has ended.
  var isOver: Bool { contents.withLock { $0.isOver } }

  /// Gives it the store to ask for calls, and how to stop being one of those that watch.
  func hold(_ upkeep: UpkeepClient, resign: @escaping @Sendable () async -> Void) {
    contents.withLock { ($0.upkeep, $0.resign) = (upkeep, resign) }
  }

  /// Returns when the monitor must end.
  func end(on clock: some Clock<Duration>) async {
    await Self.endOfInput()
    let resign = contents.withLock { contents in
      contents.isOver = true
      return contents.resign
    }
    await resign?()
    try? await clock.sleep(for: Self.grace)
    var waited = Duration.zero
    while waited < Self.limit, await mayHaveCalls {
      try? await clock.sleep(for: .seconds(1))
      waited += .seconds(1)
    }
  }

  /// Whether calls for help wait to be sent, as far as is known.
  private var mayHaveCalls: Bool {
    get async {
      guard let upkeep = contents.withLock({ $0.upkeep }), let load = try? await upkeep.load()
      else { return true }
      return load.pendingCalls > 0
    }
  }

  /// Waits on a thread of its own: not every file can be waited for otherwise.
  private static func endOfInput() async {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "leash").async {
        var byte: UInt8 = 0
        // Nothing is ever written.
        while true {
          let count = read(STDIN_FILENO, &byte, 1)
          if count == 0 || count < 0 && errno != EINTR { break }
        }
        continuation.resume()
      }
    }
  }
}
