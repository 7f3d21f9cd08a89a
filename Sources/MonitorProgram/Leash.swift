import Clients
import Dispatch
import Glibc
import Synchronization

/// Ends a monitor with the program that started it, whose end of a pipe on standard input closes
/// then. Calls for help are sent first.
final class Leash: Sendable {
  private let upkeep = Mutex<UpkeepClient?>(nil)

  /// How long it goes on in any case, also for calls that nobody must notice.
  static let grace = Duration.seconds(120)
  /// How long it goes on for calls that can't be sent.
  static let limit = Duration.seconds(3_600)

  /// Gives it the store to ask for calls.
  func hold(_ upkeep: UpkeepClient) { self.upkeep.withLock { $0 = upkeep } }

  /// Returns when the monitor must end.
  func end(on clock: some Clock<Duration>) async {
    await Self.endOfInput()
    try? await clock.sleep(for: Self.grace)
    var waited = Duration.zero
    while waited < Self.limit, await hasCalls {
      try? await clock.sleep(for: .seconds(1))
      waited += .seconds(1)
    }
  }

  /// Whether calls for help wait to be sent; `false` if the store can't be asked.
  private var hasCalls: Bool {
    get async {
      guard let upkeep = upkeep.withLock({ $0 }), let load = try? await upkeep.load() else {
        return false
      }
      return load.pendingCalls > 0
    }
  }

  private static func endOfInput() async {
    await withCheckedContinuation { continuation in
      let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
      input.setEventHandler {
        var byte: UInt8 = 0
        // Nothing is ever written.
        if read(STDIN_FILENO, &byte, 1) <= 0 { input.cancel() }
      }
      input.setCancelHandler { continuation.resume() }
      input.activate()
    }
  }
}
