package import Clients
package import Domain
package import FoundationEssentials
import SQLite
import Store

/// The files of the check-ins that wait for a server (OFF-1): one for each, written before its first
/// request, and removed once the server has answered.
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
    private var format = Self.format

    private static let format = 1

    package init(
      id: UUID, server: String, address: String?, session: String, body: String,
      made: ServerClock.Start
    ) {
      (self.id, self.server, self.address, self.session) = (id, server, address, session)
      (self.body, self.made) = (body, made)
    }

    package init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      format = try values.decode(Int.self, forKey: .format)
      guard format == Self.format else {
        throw DecodingError.dataCorruptedError(
          forKey: .format, in: values, debugDescription: "another format")
      }
      id = try values.decode(UUID.self, forKey: .id)
      server = try values.decode(String.self, forKey: .server)
      address = try values.decodeIfPresent(String.self, forKey: .address)
      session = try values.decode(String.self, forKey: .session)
      body = try values.decode(String.self, forKey: .body)
      made = try values.decode(ServerClock.Start.self, forKey: .made)
      refusal = try values.decodeIfPresent(ErrorText.self, forKey: .refusal)
    }

    /// As the person sees it.
    package var checkIn: Outbox.CheckIn {
      Outbox.CheckIn(id: id, madeAt: made.wall, refusal: refusal)
    }

    fileprivate var fileName: String { "check-in-\(id.uuidString.lowercased()).json" }
  }

  /// The largest number of check-ins that wait.
  static let limit = 200

  private let folder: any SpoolFolder
  private let path: String

  package init(path: String) {
    folder = EmbeddedPlatform.privateFolder(path)
    self.path = path
  }

  /// A number that changes when something is added, changed or removed.
  var signature: Int { folder.signature }

  private var names: [String] {
    folder.names.filter { $0.hasPrefix("check-in-") && $0.hasSuffix(".json") }
  }

  /// The paths of everything that waits, whatever for.
  package var paths: [String] { names.map { "\(path)/\($0)" } }

  private func read(_ name: String) -> Kept? {
    guard let bytes = try? folder.contents(of: name),
      let kept = try? JSONDecoder().decode(Kept.self, from: Data(bytes)), kept.fileName == name
    else { return nil }
    return kept
  }

  /// Returns what waits for an account of a server, in the order in which it was made.
  package func entries(for server: String, _ address: String?) -> [Kept] {
    names.compactMap(read).filter { $0.server == server && $0.address == address }
      .sorted { ($0.made.wall, $0.id.uuidString) < ($1.made.wall, $1.id.uuidString) }
  }

  /// Returns the names of the files that can't be read or are for another server.
  package func strangers(to server: String) -> [String] {
    names.filter { read($0)?.server != server }.sorted()
  }

  /// Returns whether a check-in is still there.
  func contains(_ kept: Kept) -> Bool { read(kept.fileName) != nil }

  /// Writes a check-in so that it survives a power cut.
  package func keep(_ kept: Kept) throws(StorageError) {
    guard let bytes = try? JSONEncoder().encode(kept) else { throw .serialization(kept.fileName) }
    try folder.replace(kept.fileName, with: Array(bytes))
  }

  package func remove(_ id: UUID) {
    folder.remove("check-in-\(id.uuidString.lowercased()).json")
  }

  /// Takes the right to send, which one program has at a time; `nil` if another has it.
  func takeLock() -> OwnerLock? {
    let lock = OwnerLock(path: path + "/lock")
    return lock.take(else: true) ? lock : nil
  }
}
