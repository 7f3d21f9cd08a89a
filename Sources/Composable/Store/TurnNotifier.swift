/// Counts the turns of a store and notifies its observers after each one.
///
/// A turn is one action, sent from outside or by a running effect, and all actions that follow from
/// it synchronously.
@MainActor
class TurnNotifier {
  final private(set) var number: UInt = 0
  /// The stamp of the last shared change that the observers have seen.
  final private(set) var sharedStamp: UInt64
  final private var observers: [WeakObserver] = []

  private struct WeakObserver { weak var observer: Observer? }

  init(sharedStamp: UInt64) { self.sharedStamp = sharedStamp }

  final func add(_ observer: Observer) { observers.append(WeakObserver(observer: observer)) }

  /// Ends a turn and notifies the observers in the order in which they were added.
  final func end(sharedStamp: UInt64) {
    number &+= 1
    self.sharedStamp = sharedStamp
    guard !observers.isEmpty else { return }
    var isStale = false
    for entry in observers {
      if let observer = entry.observer, !observer.isCancelled {
        observer.turnEnded()
      } else {
        isStale = true
      }
    }
    if isStale {
      observers.removeAll { $0.observer?.isCancelled ?? true }
    }
  }
}

/// An observer of turns.
@MainActor
final class Observer {
  private let flag: CancellationFlag
  private let onTurn: @MainActor () -> Void

  init(flag: CancellationFlag, onTurn: @escaping @MainActor () -> Void) {
    self.flag = flag
    self.onTurn = onTurn
  }

  var isCancelled: Bool { flag.isCancelled }

  func turnEnded() { onTurn() }
}
