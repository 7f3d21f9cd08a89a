/// Where effects run and how they come back to the store.
///
/// Without one, effects begin on the main actor and leave it for what they await elsewhere. A test
/// store brings its own, so that it can run all of it in a fixed order.
package protocol EffectScheduler: AnyObject, Sendable {
  /// The executor on which effects run.
  var executor: any TaskExecutor { get }

  /// Does work on the main actor and returns when it is done.
  func perform(_ work: @escaping @MainActor @Sendable () -> Void) async
}

/// Where the effect was made that runs here.
package enum EffectLocation {
  @TaskLocal package static var current: IssueLocation?
}
