/// Counts the turns of a store and tells its observers when one is over.
///
/// A turn is one send from outside with all actions that follow from it at once.
@MainActor
class Turns {
  final private(set) var number: UInt = 0
  /// The last change of a shared value that the observers have seen.
  final private(set) var sharedStamp: UInt64
  final private var observers: [WeakObserver] = []

  private struct WeakObserver { weak var observer: Observer? }

  init(sharedStamp: UInt64) { self.sharedStamp = sharedStamp }

  final func add(_ observer: Observer) { observers.append(WeakObserver(observer: observer)) }

  /// Tells the observers, in the order in which they came.
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

/// Someone who wants to know when a turn is over.
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
