import Clients
import Domain
import System
import Images

/// The source of all clients, and the only place that chooses a platform.
struct CompositionRoot: Sendable {
  let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// An opened store, and what to report about opening it.
  struct OpenedStore: Sendable {
    var provide: StoreAccess.ClientProvider
    /// Lines that say where a damaged store is kept.
    var lines: [String] = []
    var warnings: [String] = []
  }

  /// Opens the user's store.
  /// - Parameters:
  ///   - replacesDamaged: Whether a damaged or missing store can be set aside for a new one.
  ///   - waits: Whether to go on with a store that can't be used. An alert is then kept in a file
  ///     (ALT-7).
  ///   - onlyReads: Whether to go on with a store that can be read but not written.
  func openStore(
    replacingDamaged replacesDamaged: Bool, waiting waits: Bool = false,
    onlyReading onlyReads: Bool = false
  ) throws -> OpenedStore {
    let folders = try invocation.folders()
    // Invalid settings must not keep anyone from checking in, but they are reported.
    let fault = invocation.configurationError(folders)
    let warnings = fault.map {
      [
        "\($0.errorDescription) A running monitor uses the last good settings; a new one"
          + " sends nothing until the file is fixed."
      ]
    }
    func open(waits: Bool) throws(StorageError) -> StoreAccess.ClientProvider {
      let provide = withLocalFiles(
        try invocation.storeAccess.open(folders, invocation.account, waits))
      return { [invocation] values in
        provide(&values)
        values.mailSettingsClient = .live(
          invocation, keychain: values.keychainClient, auth: values.authClient)
      }
    }
    do {
      return OpenedStore(
        provide: try open(waits: waits && !replacesDamaged), warnings: warnings ?? [])
    } catch {
      if waits && !error.isDamage || onlyReads && error.isUnwritable,
        let provide = try? open(waits: true)
      {
        return OpenedStore(provide: provide, warnings: warnings ?? [])
      }
      guard error.isDamage else { throw error }
      guard replacesDamaged else {
        throw CommandFailure(error.errorDescription, advice: recoveryOptions(folders))
      }
    }
    let place = try invocation.storeAccess.setAside(folders)
    return OpenedStore(
      provide: try open(waits: false),
      lines: [
        place.map { "The old store is kept as \($0)." }
          ?? "There was no old store to keep."
      ],
      warnings: warnings ?? [])
  }

  /// Returns advice on a damaged or missing store, naming the last backup.
  private func recoveryOptions(_ folders: Folders) -> String {
    let startOver = "start with a new one: lifesignal --set-aside, which keeps the old one."
    guard let last = try? invocation.storeAccess.backups(folders).first else {
      return "There is no backup. You can \(startOver)"
    }
    return "Restore the last backup, \(last.name), with lifesignal restore, or \(startOver)"
  }

  /// Adds the clients that use this machine's files, whatever the store.
  func withLocalFiles(
    _ provide: @escaping StoreAccess.ClientProvider
  ) -> StoreAccess.ClientProvider {
    { [variables = invocation.variables] values in
      // Set before the platform, so that their failures are logged like those of its clients.
      values.fileClient = .live(environment: variables)
      values.pictureClient = .live
      values.qrCodeClient = .live
      provide(&values)
      values.downloadClient = .live(from: values.fileStorageClient)
    }
  }
}

extension StorageError {
  /// Whether the store may be read although it can't be written.
  fileprivate var isUnwritable: Bool {
    switch self {
    case .full, .permissionDenied: true
    default: false
    }
  }

  /// Whether the store itself is damaged or missing, so that waiting won't help.
  var isDamage: Bool {
    switch self {
    case .corrupt, .missing: true
    default: false
    }
  }
}
