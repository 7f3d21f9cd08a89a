import Clients
import Files
import Synchronization

/// `config.json5`, read again whenever it was changed.
///
/// A file that is broken meanwhile leaves the last good configuration in force: a slip of the hand
/// must not keep anybody from being told.
final class ConfigurationFile: Sendable {
  struct Reading: Equatable, Sendable {
    var saved = SavedConfiguration()
    /// Why the file is not in force as it stands now.
    var fault: ConfigurationError?

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
        contents.reading = Reading(saved: try file.read())
      } catch {
        contents.reading.fault = error
      }
      return contents.reading
    }
  }
}
