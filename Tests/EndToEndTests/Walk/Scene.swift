/// A step of the walk: what the two people do and see, and what they must still find if their
/// programs are killed.
struct Scene: Sendable {
  typealias Play = @Sendable (_ ada: Person, _ bob: Person, _ world: World) throws -> Void

  let name: String
  /// The actions of the step, which begin and end without an open sheet.
  let play: Play
  /// The checks of what both find afterwards, even after a restart.
  let remains: Play
  /// Whether the walk with kills also kills the monitor after this step.
  var alsoKillsMonitor = false

  init(
    _ name: String, alsoKillsMonitor: Bool = false, play: @escaping Play,
    remains: @escaping Play
  ) {
    self.name = name
    self.alsoKillsMonitor = alsoKillsMonitor
    self.play = play
    self.remains = remains
  }
}
