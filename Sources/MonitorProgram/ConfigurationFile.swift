import Clients
import Domain
import System
import Synchronization

/// `config.json5`, read again whenever it was changed.
///
/// While the file is broken, the last good configuration stays in force: a typo
/// must not keep anyone from being notified.
final class ConfigurationFile: Sendable {
  struct Reading: Equatable, Sendable {
    var saved = SavedConfiguration()
    /// Why the file is not in force as it stands now.
    var fault: ConfigurationError?
    /// Whether the file was ever read: a monitor that starts with a broken one has no settings.
    var isFromFile = false

    /// That the former settings are in force; `nil` when those of the file are, or none.
    var notice: String? {
      guard isFromFile else { return nil }
      return fault.map {
        "\($0.text.description) The former settings are in force until the file is repaired or the"
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

  /// The configuration in force, after looking whether the file was changed.
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
