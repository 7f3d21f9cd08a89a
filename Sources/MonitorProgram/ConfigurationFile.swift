import Clients
import Domain
import FoundationEssentials
import Glibc
import Synchronization

/// `config.json5`, read again whenever it was changed.
///
/// A file that is broken meanwhile leaves the last good configuration in force: a slip of the hand
/// must not keep anybody from being told.
final class ConfigurationFile: Sendable {
  /// What distinguishes one state of the file from the next.
  private struct Stamp: Equatable {
    var seconds = 0
    var nanoseconds = 0
    var size = 0
    var inode: UInt = 0
  }

  struct Reading: Equatable, Sendable {
    var configuration = Configuration()
    /// Why the file is not in force as it stands now.
    var fault: ConfigurationError?
  }

  private struct Contents {
    var stamp: Stamp?
    var reading = Reading()
  }

  private let path: String
  private let contents = Mutex(Contents())

  init(path: String) { self.path = path }

  /// The configuration in force, after looking whether the file was changed.
  func current() -> Reading {
    contents.withLock { contents in
      let stamp = Self.stamp(of: path)
      guard contents.stamp == nil || contents.stamp != stamp else { return contents.reading }
      contents.stamp = stamp
      do throws(ConfigurationError) {
        contents.reading = Reading(configuration: try read())
      } catch {
        contents.reading.fault = error
      }
      return contents.reading
    }
  }

  /// No file is an empty configuration.
  private func read() throws(ConfigurationError) -> Configuration {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return Configuration() }
      throw ConfigurationError(reason: "cannot be read (\(String(cString: strerror(errno))))")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Configuration.sizeLimit + 1)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else {
        throw ConfigurationError(reason: "cannot be read (\(String(cString: strerror(errno))))")
      }
      if read == 0 { break }
      count += read
    }
    return try Configuration(json5: Data(bytes[..<count]))
  }

  /// All zero when there is no file.
  private static func stamp(of path: String) -> Stamp {
    var information = stat()
    guard stat(path, &information) == 0 else { return Stamp() }
    return Stamp(
      seconds: information.st_mtim.tv_sec, nanoseconds: information.st_mtim.tv_nsec,
      size: Int(information.st_size), inode: UInt(information.st_ino))
  }
}
