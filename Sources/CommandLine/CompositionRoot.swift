import Clients
import Composable
import Domain
import EmbeddedPlatform
import FoundationEssentials

/// The only place that chooses a platform.
struct CompositionRoot: Sendable {
  /// The process's environment.
  var environment: [String: String]
  /// Fills the clients for a set of folders; tests put another platform in its place.
  var install: @Sendable (Folders, inout DependencyValues) throws(StorageError) -> Void

  init(
    environment: [String: String],
    install: @escaping @Sendable (Folders, inout DependencyValues) throws(StorageError) -> Void
  ) {
    self.environment = environment
    self.install = install
  }

  /// The embedded store under the XDG folders.
  static func embedded(environment: [String: String]) -> CompositionRoot {
    CompositionRoot(environment: environment) { (folders, values) throws(StorageError) in
      let platform = try EmbeddedPlatform(
        folders: folders,
        startMonitor: { () async throws(StorageError) in
          try MonitorLauncher(environment: environment, log: folders.monitorLog).launch()
        })
      platform.install(in: &values)
    }
  }

  /// - Throws: ``StorageError/permissionDenied(_:)`` when there is no place to keep files.
  var folders: Folders {
    get throws(StorageError) {
      guard let folders = Folders(environment: environment) else {
        throw .permissionDenied(
          "HOME is not set to an absolute path, so there is no place for files")
      }
      return folders
    }
  }

  /// What is wrong with `config.json5`, or `nil`. Checking in must not fail because of it.
  func configurationProblem() -> ConfigurationError? {
    guard let path = try? folders.configuration,
      let bytes = try? Data(contentsOf: URL(filePath: path))
    else { return nil }
    do throws(ConfigurationError) {
      _ = try Configuration(json5: bytes)
      return nil
    } catch {
      return error
    }
  }
}
