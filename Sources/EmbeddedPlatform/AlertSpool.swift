import Clients
import Domain
import FoundationEssentials
import Glibc

/// Armed alerts as files in the state folder, for as long as the store can't be written (ALT-7): one
/// file an alert, named by its identity, that only its owner may read.
struct AlertSpool: Sendable {
  let folder: String

  /// How many alerts are taken in a turn.
  private static let limit = 16

  private func path(of id: Alert.ID) -> String {
    folder + "/alert-\(id.uuidString.lowercased()).json"
  }

  /// Keeps an alert through a power cut; one with the same identity gives way, and keeps its time.
  /// - Returns: The alert as it is kept.
  func keep(_ alert: SpooledAlert) throws(StorageError) -> ArmedAlert {
    try PrivateFiles.makeFolder(folder)
    let path = path(of: alert.armed.id)
    var alert = alert
    if let known = try? read(path) {
      let armed = alert.armed
      alert.armed = ArmedAlert(
        id: armed.id, message: armed.message, armedAt: known.armed.armedAt, firesAt: armed.firesAt)
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .millisecondsSince1970
    guard let bytes = try? encoder.encode(alert) else { throw .serialization("an armed alert") }
    try PrivateFiles.replace(path, with: Array(bytes))
    return alert.armed
  }

  /// What waits, the most pressing first. A file that isn't ours, or that is damaged, stays where it is.
  func alerts() -> [SpooledAlert] {
    guard let names = try? PrivateFiles.names(in: folder) else { return [] }
    return names.filter { $0.hasPrefix("alert-") && $0.hasSuffix(".json") }
      .compactMap { try? read(folder + "/" + $0) }
      .sorted { $0.armed.firesAt < $1.armed.firesAt }.prefix(Self.limit).map(\.self)
  }

  func alert(_ id: Alert.ID) -> SpooledAlert? { try? read(path(of: id)) }

  func remove(_ id: Alert.ID) { unlink(path(of: id)) }

  private func read(_ path: String) throws -> SpooledAlert {
    guard let bytes = try PrivateFiles.contents(of: path) else {
      throw StorageError.missing(path: path)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970
    let alert = try decoder.decode(SpooledAlert.self, from: Data(bytes))
    let armed = alert.armed
    // A time that the store can't hold is no time.
    let range = Date(milliseconds: 0)...Date.farFuture
    guard range.contains(armed.armedAt), range.contains(armed.firesAt) else {
      throw StorageError.serialization(path)
    }
    return SpooledAlert(
      account: alert.account,
      armed: ArmedAlert(
        id: armed.id, message: ProfileRules.shortenedAlertMessage(armed.message),
        armedAt: armed.armedAt, firesAt: armed.firesAt))
  }
}
