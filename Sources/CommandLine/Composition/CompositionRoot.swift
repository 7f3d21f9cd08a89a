import Clients
import Domain
import System
import Images

/// Where the clients come from: the only place that chooses a platform.
struct CompositionRoot: Sendable {
  let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// An opened store, and what there is to say about opening it.
  struct OpenedStore: Sendable {
    var provide: StoreAccess.ClientProvider
    /// Where a damaged store was kept.
    var lines: [String] = []
    var warnings: [String] = []
  }

  /// Opens the person's store.
  /// - Parameters:
  ///   - replacesDamaged: Whether one that is damaged or gone may be set aside for a new one.
  ///   - waits: Whether one that can't be used is no reason to end: an alert is kept beside it (ALT-7).
  func openStore(
    replacingDamaged replacesDamaged: Bool, waiting waits: Bool = false
  ) throws -> OpenedStore {
    let folders = try invocation.folders()
    // Wrong mail settings may not keep anybody from checking in; but they are told.
    let fault = invocation.configurationError(folders)
    let warnings = fault.map {
      [
        "\($0.errorDescription) A monitor that runs goes by what it said before; a new one sends"
          + " nothing until it is mended."
      ]
    }
    func open(waits: Bool) throws(StorageError) -> StoreAccess.ClientProvider {
      withLocalFiles(try invocation.storeAccess.open(folders, invocation.account, waits))
    }
    do {
      return OpenedStore(
        provide: try open(waits: waits && !replacesDamaged), warnings: warnings ?? [])
    } catch {
      if waits, !error.isDamage, let provide = try? open(waits: true) {
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
        place.map { "What was left of the old store is kept as \($0)." }
          ?? "Nothing was left of the old store."
      ],
      warnings: warnings ?? [])
  }

  /// What to do about a store that is damaged or gone; names the last backup.
  private func recoveryOptions(_ folders: Folders) -> String {
    let anew = "begin anew with lifesignal --set-aside, which keeps what is left."
    guard let last = try? invocation.storeAccess.backups(folders).first else {
      return "There is no backup. You can \(anew)"
    }
    return "Bring the last backup, \(last.name), back with lifesignal restore, or \(anew)"
  }

  /// Adds what reaches the files of this machine, whatever the store.
  func withLocalFiles(
    _ provide: @escaping StoreAccess.ClientProvider
  ) -> StoreAccess.ClientProvider {
    { [variables = invocation.variables] values in
      // Before the platform, so that their failures are noted like those of its clients.
      values.fileClient = .live(environment: variables)
      values.pictureClient = .live
      values.qrCodeClient = .live
      provide(&values)
      values.downloadClient = .live(from: values.fileStorageClient)
    }
  }
}

extension StorageError {
  /// Whether the store itself is damaged or gone, so that waiting will not bring it back.
  var isDamage: Bool {
    switch self {
    case .corrupt, .missing: true
    default: false
    }
  }
}
