import Clients
import Domain
import FoundationEssentials
import Store

/// The files of alerts that wait for a server. An alert, its stop and a mark for each attempt to send it
/// are files of their own, so that no program can overwrite what another one knows.
extension OutboxFolder {
  /// An alert in a file.
  struct KeptAlert: Codable, Equatable, Identifiable, Sendable {
    let id: Alert.ID
    /// The server, as ``JoinedServer/url``.
    var server: String
    /// The account; `nil` if no answer has named it yet.
    var account: User.ID?
    /// The session that it was made in.
    var session: String
    var message: String
    var made: ServerClock.Start
    /// How many seconds after `made` it is raised.
    var delay: Int
    /// Whether the person has stopped it.
    var isStopped = false
    /// Whether it can have arrived when it was stopped.
    var mayBeSent = false
    /// When it was stopped, by the device's clock.
    var stoppedAt: Date?
    private var format = Format()

    init(
      id: Alert.ID, server: String, account: User.ID?, session: String, message: String,
      made: ServerClock.Start, delay: Int
    ) {
      (self.id, self.server, self.account, self.session) = (id, server, account, session)
      (self.message, self.made, self.delay) = (message, made, delay)
    }

    fileprivate var fileName: String {
      OutboxFolder.fileName(isStopped ? "stopped" : "alert", id)
    }
  }

  /// What an attempt to send an alert adds to its message. Every later attempt adds the same, because
  /// another text would be sent as a second message.
  private struct Attempt: Codable {
    var note: String
    /// Whether it has ended and can't have arrived. Where there is a stop, a mark says so rather than
    /// being removed: one that is gone may have been removed because the server has answered.
    var hasFailed: Bool?
  }

  private static func fileName(_ kind: String, _ id: Alert.ID) -> String {
    "\(kind)-\(id.uuidString.lowercased()).json"
  }

  /// The mark of one attempt.
  struct Mark: Sendable { fileprivate let fileName: String }

  private func marks(of id: Alert.ID) -> [Mark] {
    let prefix = "tried-\(id.uuidString.lowercased())-"
    return alertNames.filter { $0.hasPrefix(prefix) }.map { Mark(fileName: $0) }
  }

  private func attempt(_ mark: Mark) -> Attempt? {
    read(Attempt.self, mark.fileName, in: alertFolders).first
  }

  static let alertKinds = ["alert", "stopped", "tried"]

  var alertNames: [String] {
    alertFolders.flatMap(\.names).filter { name in
      Self.alertKinds.contains { name.hasPrefix($0 + "-") } && name.hasSuffix(".json")
    }
  }

  private var alertAndStopNames: Set<String> {
    Set(alertNames.filter { !$0.hasPrefix("tried-") })
  }

  /// Returns the alerts for a server and the stops of some, the earliest first.
  func alerts(for server: String) -> [KeptAlert] {
    alertAndStopNames.compactMap(readAlert).filter { $0.server == server }
      .sorted { ($0.made.wall, $0.id.uuidString) < ($1.made.wall, $1.id.uuidString) }
  }

  func strangeAlerts(to server: String) -> [String] {
    alertAndStopNames.filter { readAlert($0)?.server != server }
  }

  private func readAlert(_ name: String) -> KeptAlert? {
    read(KeptAlert.self, name, in: alertFolders)
      .filter { $0.fileName == name }
      .max { ($0.delay, $0.message.count) < ($1.delay, $1.message.count) }
  }

  func alert(_ id: Alert.ID) -> KeptAlert? { readAlert(Self.fileName("alert", id)) }

  /// Returns the stop of an alert.
  func stop(of id: Alert.ID) -> KeptAlert? { readAlert(Self.fileName("stopped", id)) }

  func isStopped(_ id: Alert.ID) -> Bool { stop(of: id) != nil }

  func keep(_ alert: KeptAlert) throws(StorageError) {
    try write(alert, as: alert.fileName, in: alertFolders)
  }

  /// Removes an alert unless it has changed since it was read, or the stop of one.
  func remove(_ alert: KeptAlert) {
    if alert.isStopped {
      // First, so that it isn't there without its stop.
      removeAlert(alert.id)
    } else if let present = self.alert(alert.id), present != alert {
      return
    }
    alertFolders.remove(alert.fileName)
    for mark in marks(of: alert.id) { alertFolders.remove(mark.fileName) }
  }

  func removeAlert(_ id: Alert.ID) { alertFolders.remove(Self.fileName("alert", id)) }

  /// Returns the marks of the attempts that go on or may have arrived.
  func openMarks(of id: Alert.ID) -> [Mark] {
    marks(of: id).filter { attempt($0).map { $0.hasFailed != true } ?? false }
  }

  /// Returns the note of those attempts; `nil` if there are none.
  func noteOfAttempts(_ id: Alert.ID) -> String? {
    // Each mark is read once: it goes when its attempt ends.
    for mark in marks(of: id) {
      if let attempt = attempt(mark), attempt.hasFailed != true { return attempt.note }
    }
    return nil
  }

  /// Returns whether an attempt has ended and can't have arrived; `nil` while it goes on, and `false` if
  /// nobody knows any more.
  func hasFailed(_ mark: Mark) -> Bool? {
    guard let attempt = attempt(mark) else { return false }
    return attempt.hasFailed == true ? true : nil
  }

  /// Notes that an attempt begins.
  func markAttempt(_ id: Alert.ID, note: String) -> Mark {
    let name = "tried-\(id.uuidString.lowercased())-\(UUID().uuidString.lowercased()).json"
    // An alert is sent even if this can't be written.
    try? write(Attempt(note: note), as: name, in: alertFolders)
    return Mark(fileName: name)
  }

  /// Notes that an attempt has ended and may have arrived. One mark that stays says so for all.
  func settle(_ mark: Mark, of id: Alert.ID, note: String) {
    let settled = "tried-\(id.uuidString.lowercased())-settled.json"
    do throws(StorageError) {
      if attempt(Mark(fileName: settled)) == nil {
        try write(Attempt(note: note), as: settled, in: alertFolders)
      }
      alertFolders.remove(mark.fileName)
    } catch {}  // Then this one stays.
  }

  /// Notes that an attempt has ended and can't have arrived.
  func fail(_ mark: Mark, of id: Alert.ID) {
    guard isStopped(id) else { return alertFolders.remove(mark.fileName) }
    try? write(Attempt(note: "", hasFailed: true), as: mark.fileName, in: alertFolders)
  }
}
