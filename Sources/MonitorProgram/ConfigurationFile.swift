import Clients
import Domain
import System
import Synchronization

/// `config.json5`, read again whenever it changes.
///
/// While the file is broken, the last good configuration stays in force: a typo must not keep
/// anyone from being notified.
final class ConfigurationFile: Sendable {
  struct Reading: Equatable, Sendable {
    var saved = SavedConfiguration()
    /// Why the file's current content is not in force.
    var fault: ConfigurationError?
    /// Whether the file was ever read. A monitor that starts with a broken file has no settings.
    var isFromFile = false

    /// Says that the former settings are in force; `nil` if the file's own are, or none are.
    var notice: String? {
      guard isFromFile else { return nil }
      return fault.map {
        "\($0.text.description) The last good settings stay in use until the file is fixed or the"
          + " monitor restarts."
      }
    }

    var configuration: Configuration { saved.configuration }
  }

  private struct Contents {
    var stamp: SettingsFile.Stamp?
    var reading = Reading()
  }

  private let file: SettingsFile
  private let contents = Mutex(Contents())

  init(path: String) { file = SettingsFile(path: path) }

  /// Returns the configuration in force, reading the file if it has changed.
  func current() -> Reading {
    contents.withLock { contents in
      let stamp = file.stamp
      guard contents.stamp != stamp else { return contents.reading }
      contents.stamp = stamp
      do throws(ConfigurationError) {
        contents.reading = Reading(saved: try file.read(), isFromFile: true)
      } catch {
        contents.reading.fault = error
      }
      return contents.reading
    }
  }
}
