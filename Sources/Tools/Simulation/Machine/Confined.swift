/// A value used only on the simulation's thread.
///
/// Sendable because every access checks the thread.
final class Confined<Value>: @unchecked Sendable {
  private let scheduler: Scheduler
  private var contents: Value

  init(_ value: Value, to scheduler: Scheduler) {
    contents = value
    self.scheduler = scheduler
  }

  var value: Value {
    _read {
      precondition(scheduler.isCurrent)
      yield contents
    }
    _modify {
      precondition(scheduler.isCurrent)
      yield &contents
    }
  }
}
