package import Clients
package import Domain
package import FoundationEssentials
import SQLite
import Store

/// The files of the check-ins and alerts that wait for a server (OFF-1): one for each, written before
/// its first request, and removed once the server has answered.
package struct OutboxFolder: Sendable {
  /// A check-in in a file. What the server is asked is frozen in it, so that every attempt asks the
  /// same.
  package struct Kept: Codable, Equatable, Identifiable, Sendable {
    /// The key by which the server recognises a repetition.
    package let id: UUID
    /// The server, as ``JoinedServer/url``.
    package var server: String
    /// The address of the account that the program was started for; `nil` for the one that signed
    /// in last.
    package var address: String?
    /// The session that it was made in, which alone may send it.
    package var session: String
    package var body: String
    package var made: ServerClock.Start
    package var refusal: ErrorText?
    /// Whether the body has a sealed passphrase.
    var isGated: Bool?
    /// The outing that it ends, or `nil` for a check-in (OUT-5).
    package var outing: Outing.ID?
    private var format = OutboxFolder.Format()

    package init(
      id: UUID, server: String, address: String?, session: String, body: String,
      made: ServerClock.Start, isGated: Bool? = nil, outing: Outing.ID? = nil
    ) {
      (self.id, self.server, self.address, self.session) = (id, server, address, session)
      (self.body, self.made, self.isGated, self.outing) = (body, made, isGated, outing)
    }

    /// As the person sees it.
    package var checkIn: Outbox.CheckIn {
      Outbox.CheckIn(id: id, madeAt: made.wall, refusal: refusal, outing: outing)
    }

    fileprivate var fileName: String { "check-in-\(id.uuidString.lowercased()).json" }
  }

  /// The version of a file's contents. A file of another one is left alone.
  struct Format: Codable, Equatable, Sendable {
    private static let current = 1

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard try container.decode(Int.self) == Self.current else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "another format")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Self.current)
    }
  }

  /// The largest number of check-ins that wait, and of those with a passphrase: the queue must not
  /// guess for a person who holds the device.
  static let (limit, gatedLimit) = (200, 3)

  private let path: String
  /// The folders, of which the second takes what the first can't.
  private let folders: [any SpoolFolder]
  /// The same for alerts, which are worth keeping even where they don't outlive a restart.
  let alertFolders: [any SpoolFolder]

  /// - Parameters:
  ///   - path: The folder.
  ///   - fallback: A folder on another disk.
  ///   - volatile: Folders that don't outlive a restart, for alerts that no disk takes.
  package init(path: String, fallback: String? = nil, volatile: [String] = []) {
    self.path = path
    folders = ([path] + [fallback].compactMap(\.self)).map { EmbeddedPlatform.privateFolder($0) }
    alertFolders =
      folders + volatile.map { EmbeddedPlatform.privateFolder($0, outlivesRestart: false) }
  }

  package init(_ folders: Folders) {
    self.init(
      path: folders.outbox, fallback: folders.outboxFallback, volatile: folders.volatileOutboxes)
  }

  /// A value that changes when something is added, changed or removed.
  var signature: [Int] { alertFolders.signature }

  private var names: [String] {
    folders.flatMap(\.names).filter { $0.hasPrefix("check-in-") && $0.hasSuffix(".json") }
  }

  /// Deletes everything that waits, whatever for, and what a killed program has begun to write.
  package func removeAll() {
    let kinds = ["check-in-"] + Self.alertKinds.map { $0 + "-" }
    for name in alertFolders.flatMap(\.names) where kinds.contains(where: name.hasPrefix) {
      alertFolders.remove(name)
    }
  }

  private func read(_ name: String) -> Kept? {
    read(Kept.self, name, in: folders).first.flatMap { $0.fileName == name ? $0 : nil }
  }

  /// Returns the files with a name that can be read.
  func read<Value: Decodable>(
    _ type: Value.Type, _ name: String, in folders: [any SpoolFolder]
  ) -> [Value] {
    folders.compactMap { folder in
      (try? folder.contents(of: name)).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }
  }

  func write(
    _ value: some Encodable, as name: String, in folders: [any SpoolFolder]
  ) throws(StorageError) {
    let encoder = JSONEncoder()
    // A sealed passphrase must not show by the number of its slashes, either.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else { throw .serialization(name) }
    try folders.replace(name, with: Array(bytes))
  }

  /// Returns what waits for an account of a server, in the order in which it was made.
  package func entries(for server: String, _ address: String?) -> [Kept] {
    names.compactMap(read).filter { $0.server == server && $0.address == address }
      .sorted { ($0.made.wall, $0.id.uuidString) < ($1.made.wall, $1.id.uuidString) }
  }

  /// Returns the names of the files that can't be read or are for another server.
  package func strangers(to server: String) -> [String] {
    (names.filter { read($0)?.server != server } + strangeAlerts(to: server)).sorted()
  }

  /// Returns whether another check-in may wait for an account of a server.
  func hasRoom(for server: String, _ address: String?, isGated: Bool) -> Bool {
    let entries = entries(for: server, address)
    return entries.count < Self.limit
      && (!isGated || entries.count { $0.isGated == true } < Self.gatedLimit)
  }

  /// Returns whether a check-in is still there.
  func contains(_ kept: Kept) -> Bool { read(kept.fileName) != nil }

  /// Writes a check-in so that it survives a power cut.
  package func keep(_ kept: Kept) throws(StorageError) {
    try write(kept, as: kept.fileName, in: folders)
  }

  package func remove(_ id: UUID) {
    folders.remove("check-in-\(id.uuidString.lowercased()).json")
  }

  /// Takes the right to send, which one program has at a time; `nil` if another has it.
  func takeLock() -> OwnerLock? {
    let lock = OwnerLock(path: path + "/lock")
    return lock.take(else: true) ? lock : nil
  }
}
