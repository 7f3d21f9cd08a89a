public import Clients
import FoundationEssentials
import Glibc

/// The user's own messaging services: `services/*.json5` beside `config.json5` (CHN-4).
///
/// A service gets the secrets of its channels, so that its file is believed only where nobody but this user
/// and root could have written it.
public struct ServiceFiles: Sendable {
  private let folder: String

  /// - Parameter folders: Whose configuration's folder they lie in.
  public init(_ folders: Folders) { folder = folders.config + "/services" }

  /// All services. One whose file is wrong is not there, even where one of ours has its name: its channels
  /// wait until the file is repaired.
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

  /// The files' names, in order.
  private var names: [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = Glibc.readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".json5"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
