/// Decides where effects run and how they return to the store.
///
/// Without a scheduler, effects begin on the main actor and leave it only while they await
/// something that runs elsewhere. A test store has a scheduler, so that it can run everything in a
/// fixed order.
package protocol EffectScheduler: AnyObject, Sendable {
  /// The executor on which effects run.
  var executor: any TaskExecutor { get }

  /// Performs work on the main actor and returns when it is done.
  func perform(_ work: @escaping @MainActor @Sendable () -> Void) async
}

/// The source location of the effect that is running in the current task.
package enum EffectLocation {
  @TaskLocal package static var current: IssueLocation?
}
