/// A step of the walk: what the two people do and see, and what of it is there whatever happens to
/// their programs.
struct Scene: Sendable {
  typealias Play = @Sendable (_ ada: Person, _ bob: Person, _ world: World) throws -> Void

  let name: String
  /// Begins and ends without a sheet open.
  let play: Play
  /// What both find when they look again.
  let remains: Play
  /// Whether the monitor is killed as well, in the walk that kills.
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
