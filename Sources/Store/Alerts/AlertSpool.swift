import Clients
package import Domain
import FoundationEssentials
import Synchronization

/// Alerts saved as files beside the store (ALT-7): one file per alert, named by its identifier,
/// whatever its kind (ALT-9), and another one for each that was stopped. Only their owner can read
/// them.
///
/// A silent alert and a stop stay until the store has them. Any other alert stays until it is over,
/// so that it outlives a store that is damaged or replaced by a backup.
///
/// A stop is a file by itself, so that a process that holds an older version of the alert can't
/// remove or overwrite it.
package struct AlertSpool: Sendable {
  /// The folders for the files.
  let folders: [any SpoolFolder]
  let owner = Owner()
  private let reader: Reader

  package init(folders: [any SpoolFolder], executor: any StoreExecutor) {
    self.folders = folders
    reader = Reader(executor)
  }

  /// Returns a spool with the same files for another account.
  func copy() -> AlertSpool { AlertSpool(folders: folders, reader: reader) }

  private init(folders: [any SpoolFolder], reader: Reader) {
    self.folders = folders
    self.reader = reader
  }

  /// The account that this program worked for when it last read the store.
  final class Owner: Sendable {
    private let account = Mutex<User.ID?>(nil)
    var id: User.ID? {
      get { account.withLock { $0 } }
      set { account.withLock { $0 = newValue } }
    }
  }

  /// Runs on a thread beside the store's, which may be waiting for a lock while a person stops an
  /// alert.
  private actor Reader {
    private let executor: any StoreExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: any StoreExecutor) { self.executor = executor }

    func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
  }

  /// The largest number of alerts handled at a time. The earliest are; so there must be room for
  /// every alert that is on, which keeps its file until it is over, beside those that have yet to
  /// be raised.
  private static let limit = 1_000

  /// Works with the files without waiting for the store.
  func perform<Value: Sendable>(_ body: @Sendable (AlertSpool) -> Value) async -> Value {
    await reader.run { body(self) }
  }

  // MARK: Writing

  /// Saves an alert so that it survives a power cut. Replaces one with the same identifier, but
  /// keeps the time it was armed at, and the time it fires at if that has come: it may have been
  /// sent.
  /// - Returns: The alert as it was saved.
  /// - Throws: An error also if the person has stopped it, in another program or while this one waited
  ///   for the store.
  func keep(_ armed: ArmedAlert, of account: User.ID?) throws(StorageError) -> ArmedAlert {
    guard !isStopped(armed) else { throw .unknown("the alert was stopped") }
    let armed = self.armed(armed.id)?.changed(to: armed) ?? armed
    try write(.armed(armed, account: account))
    return armed
  }

  /// Saves an alert that is on, with its present text.
  func keep(_ alert: Alert, of account: User.ID?) throws(StorageError) {
    try write(
      .armed(
        ArmedAlert(
          id: alert.id, message: alert.message, armedAt: alert.raisedAt, firesAt: alert.raisedAt),
        account: account))
  }

  /// Records that an alert was stopped. What another program has recorded stays: it knew when the
  /// alert was due.
  func stop(
    _ id: Alert.ID, of account: User.ID?, at now: Date, dueAt: Date?
  ) throws(StorageError) {
    let isRecorded = folders.contains { folder in
      (try? read(SpooledAlert.fileName(ofStopped: id), in: folder)) != nil
    }
    guard !isRecorded else { return }
    try write(.stopped(id, at: now, dueAt: dueAt, account: account))
  }

  /// Saves a silent alert, unless the account has one already.
  func keepSilent(_ id: Alert.ID, of account: User.ID, at now: Date) throws(StorageError) {
    guard silent(of: account) == nil else { return }
    try write(.silent(id, at: now, account: account))
  }

  func silent(of account: User.ID) -> SpooledAlert? {
    alerts().first { $0.silent != nil && $0.account == account }
  }

  private func write(_ alert: SpooledAlert) throws(StorageError) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .millisecondsSince1970
    guard let bytes = try? encoder.encode(alert) else { throw .serialization("an armed alert") }
    try folders.replace(alert.fileName, with: Array(bytes))
  }

  // MARK: Reading

  /// Returns the alerts that wait: first those to raise, the earliest first, then those that were
  /// stopped. A file that isn't ours, or is damaged, stays where it is.
  package func alerts() -> [SpooledAlert] {
    let found = folders.flatMap { folder in
      folder.names.compactMap { name in
        (try? read(name, in: folder)).flatMap { $0.fileName == name ? $0 : nil }
      }
    }
    let begun = Dictionary(
      found.compactMap { alert in alert.firesAt.map { (alert.id, (alert, $0)) } },
      uniquingKeysWith: { $0.1 > $1.1 ? $0 : $1 })
    let stopped = found.filter { $0.firesAt == nil }
    return begun.values.sorted { $0.1 < $1.1 }.prefix(Self.limit).map(\.0)
      + stopped.prefix(Self.limit)
  }

  func armed(_ id: Alert.ID) -> ArmedAlert? {
    folders.compactMap { (try? read(SpooledAlert.fileName(ofBegun: id), in: $0))?.armed }
      .max { $0.firesAt < $1.firesAt }
  }

  /// Returns whether an armed alert was stopped before it was due.
  package func isStopped(_ armed: ArmedAlert) -> Bool {
    folders.contains { folder in
      let stop = try? read(SpooledAlert.fileName(ofStopped: armed.id), in: folder)
      return stop?.stops(armed) == true
    }
  }

  /// Returns an armed alert as its files say now, or `nil` if it was stopped before it was due. Since
  /// it was read, it may have been postponed and got a message.
  func present(_ armed: ArmedAlert) -> ArmedAlert? {
    let kept = self.armed(armed.id)
    let armed = kept.map { $0.firesAt >= armed.firesAt ? $0 : armed } ?? armed
    return isStopped(armed) ? nil : armed
  }

  /// A value that changes when files are added, changed or removed.
  var signature: [Int] { folders.signature }

  // MARK: Removing

  /// Removes an alert that the store has taken over, unless it has changed since it was read.
  func remove(_ alert: SpooledAlert) {
    for folder in folders {
      if case let now? = try? read(alert.fileName, in: folder), now.isAsNew(as: alert) {
        folder.remove(alert.fileName)
      }
    }
  }

  /// Removes the files of an account that is gone.
  func removeAll(of account: User.ID) {
    for alert in alerts() where alert.account == account { folders.remove(alert.fileName) }
  }

  func removeArmed(_ id: Alert.ID) { folders.remove(SpooledAlert.fileName(ofBegun: id)) }
  func removeStop(of id: Alert.ID) { folders.remove(SpooledAlert.fileName(ofStopped: id)) }

  private func read(_ name: String, in folder: any SpoolFolder) throws -> SpooledAlert {
    guard let bytes = try folder.contents(of: name) else {
      throw StorageError.missing(path: name)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970
    let alert = try decoder.decode(SpooledAlert.self, from: Data(bytes))
    // A time that the store can't hold makes the file invalid.
    let range = Date(milliseconds: 0)...Date.farFuture
    guard range.contains(alert.date), alert.armed.map({ range.contains($0.firesAt) }) ?? true
    else { throw StorageError.serialization(name) }
    guard let armed = alert.armed else { return alert }
    return .armed(
      ArmedAlert(
        id: armed.id, message: ProfileRules.shortenedAlertMessage(armed.message),
        armedAt: armed.armedAt, firesAt: armed.firesAt), account: alert.account)
  }
}

extension SpooledAlert {
  fileprivate static func fileName(ofBegun id: Alert.ID) -> String {
    "alert-\(id.uuidString.lowercased()).json"
  }

  fileprivate static func fileName(ofStopped id: Alert.ID) -> String {
    "stopped-\(id.uuidString.lowercased()).json"
  }

  fileprivate var fileName: String {
    firesAt == nil ? Self.fileName(ofStopped: id) : Self.fileName(ofBegun: id)
  }

  /// Returns whether both are the same apart from the account.
  fileprivate func isAsNew(as other: SpooledAlert) -> Bool {
    var other = other
    other.account = account
    return self == other
  }
}
