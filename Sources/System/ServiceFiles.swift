public import Clients
import FoundationEssentials
import Glibc

/// The user's own messaging services: `services/*.json5` beside `config.json5` (CHN-4).
///
/// A service gets the secrets of its channels, so its file is trusted only if nobody but this user
/// and root could have written it.
public struct ServiceFiles: Sendable {
  private let folder: String

  /// - Parameter folders: The folders whose configuration has the services.
  public init(_ folders: Folders) { folder = folders.config + "/services" }

  /// Reads all services. A faulty one counts as missing, even if a built-in service has its name:
  /// its channels wait until the file is fixed.
  public func read() -> ServiceCatalog {
    var own: [Service] = []
    var faults: [Service.ID: ConfigurationError] = [:]
    for name in names {
      let id = String(name.dropLast(".json5".count))
      do throws(ConfigurationError) {
        let file = SettingsFile(path: "\(folder)/\(name)")
        guard let data = try file.trustedContents(limit: Configuration.sizeLimit) else { continue }
        own.append(try Service(id: id, json5: Array(data)))
      } catch {
        var fault = error
        fault.file = "services/\(name)"
        faults[id] = fault
      }
    }
    return ServiceCatalog(own, faults: faults)
  }

  /// The names of the files, in order.
  private var names: [String] {
    LocalFile(folder).names.filter { $0.hasSuffix(".json5") && !$0.hasPrefix(".") }.sorted()
  }
}
