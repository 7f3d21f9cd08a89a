public import Clients
import Domain
import FoundationEssentials
import Glibc

/// `config.json5` on the disks of this machine.
///
/// It can name programs, which are run with this user's rights. So it is trusted only if nobody but
/// this user and root could have written it: neither the file nor its folder must be writable by
/// others or belong to them, as sudo and OpenSSH require of their files. Reading never blocks,
/// whatever is in the file's place.
public struct SettingsFile: Sendable {
  private let path: String
  private let owners: Set<uid_t>

  /// - Parameter path: An absolute path.
  public init(path: String) { self.init(path: path, owners: [0, geteuid()]) }

  /// - Parameter owners: The users who are trusted.
  init(path: String, owners: Set<uid_t>) {
    self.path = path
    self.owners = owners
  }

  /// Reads the present settings, which are empty if there is no file.
  /// - Throws: ``ConfigurationError`` if it isn't a file, can't be read, or is wrong.
  public func read() throws(ConfigurationError) -> SavedConfiguration {
    let walk = try walk()
    guard let file = walk.file else { return SavedConfiguration(exposure: walk.exposure) }
    return SavedConfiguration(
      try Configuration(json5: try file.contents(limit: Configuration.sizeLimit)),
      exposure: walk.exposure)
  }

  /// Returns the contents of the file; `nil` if there is none.
  /// - Throws: ``ConfigurationError`` if it isn't a file, can't be read, is larger than `limit`
  ///   bytes, or could have been written by others.
  func trustedContents(limit: Int) throws(ConfigurationError) -> Data? {
    let walk = try walk()
    guard let file = walk.file else { return nil }
    if let exposure = walk.exposure {
      throw ConfigurationError(
        reason: "\(exposure.text.description) \(exposure.text.recovery ?? "")")
    }
    let data = try file.contents(limit: limit)
    guard data.count <= limit else { throw .unreadable("it is larger than \(limit) bytes") }
    return data
  }

  /// A value that changes with the file, and with the folders and links that lead to it.
  public struct Stamp: Equatable, Sendable {
    fileprivate var marks: [Mark] = []
    fileprivate var error: ConfigurationError?
  }

  /// The present state, which costs a few system calls.
  public var stamp: Stamp {
    do throws(ConfigurationError) {
      let walk = try walk()
      return Stamp(marks: walk.marks)
    } catch {
      return Stamp(error: error)
    }
  }

  // MARK: The path to the file

  /// `O_PATH`, which glibc declares in a form that Swift doesn't import. A folder that can be
  /// entered can't always be listed.
  private static let pathOnly: Int32 = 0o10_000_000

  private struct Walk {
    /// The file; `nil` if there is none.
    var file: Descriptor?
    /// The first place at which somebody else could change what is read.
    var exposure: ConfigurationExposure?
    var marks: [Mark] = []
  }

  /// Follows the path and its links to the file. What is checked is what is opened, whatever is put
  /// in its place in the meantime.
  private func walk() throws(ConfigurationError) -> Walk {
    var walk = Walk()
    var path = path
    for _ in 0..<40 {
      let (folder, name) = path.folderAndName
      guard let place = Descriptor(open(folder, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)) else {
        if errno == ENOENT, path == self.path { return walk }
        throw .unreadable("\(folder): \(systemReason)")
      }
      pass(try place.information(), at: folder, &walk)
      var entry = stat()
      guard fstatat(place.number, name, &entry, AT_SYMLINK_NOFOLLOW) == 0 else {
        guard errno == ENOENT else { throw .unreadable(systemReason) }
        if path == self.path { return walk }
        throw .unreadable("it is a link that leads nowhere")
      }
      switch entry.st_mode & S_IFMT {
      case S_IFLNK:
        pass(entry, at: path, &walk)
        let target = try place.target(ofLink: name)
        path = target.hasPrefix("/") ? target : folder + "/" + target
      case S_IFREG:
        // O_NONBLOCK: a pipe may be put there between the two calls.
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC
        guard let file = Descriptor(openat(place.number, name, flags)) else {
          throw .unreadable(systemReason)
        }
        let information = try file.information()
        guard information.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        pass(information, at: path, &walk)
        walk.file = file
        return walk
      default: throw .noFile
      }
    }
    throw .unreadable("too many links lead to it")
  }

  private func pass(_ information: stat, at path: String, _ walk: inout Walk) {
    walk.marks.append(Mark(information))
    if walk.exposure == nil, let fault = fault(information) {
      walk.exposure = ConfigurationExposure(path: path, fault: fault)
    }
  }

  /// Returns why others could change something, or replace what is in it.
  private func fault(_ information: stat) -> ConfigurationExposure.Fault? {
    guard owners.contains(information.st_uid) else { return .foreign }
    switch information.st_mode & S_IFMT {
    // A link has no mode.
    case S_IFLNK: return nil
    // In a sticky folder, nobody can replace another user's files.
    case S_IFDIR where information.st_mode & S_ISVTX != 0: return nil
    default: return information.st_mode & (S_IWGRP | S_IWOTH) == 0 ? nil : .open
    }
  }
}

/// The state of one place on the path; of a folder, only what says who can change it.
private struct Mark: Equatable, Sendable {
  private let numbers: [Int]

  init(_ information: stat) {
    var numbers = [
      Int(information.st_dev), Int(information.st_ino), Int(information.st_mode),
      Int(information.st_uid),
    ]
    if information.st_mode & S_IFMT != S_IFDIR {
      numbers += [
        Int(information.st_size), information.st_mtim.tv_sec, information.st_mtim.tv_nsec,
        information.st_ctim.tv_sec, information.st_ctim.tv_nsec,
      ]
    }
    self.numbers = numbers
  }
}

/// An open file or folder, closed with its last reference.
private final class Descriptor: Sendable {
  let number: Int32

  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { close(number) }

  func information() throws(ConfigurationError) -> stat {
    var information = stat()
    guard fstat(number, &information) == 0 else { throw .unreadable(systemReason) }
    return information
  }

  /// Returns the target of a link in this folder.
  func target(ofLink name: String) throws(ConfigurationError) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(number, name, &target, target.count)
    guard count > 0 else { throw .unreadable(systemReason) }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the bytes, at most one more than `limit`.
  func contents(limit: Int) throws(ConfigurationError) -> Data {
    var bytes = Data(count: limit + 1)
    var count = 0
    while count < bytes.count {
      let taken = bytes.withUnsafeMutableBytes {
        read(number, $0.baseAddress! + count, $0.count - count)
      }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { throw .unreadable(systemReason) }
      if taken == 0 { break }
      count += taken
    }
    return bytes.prefix(count)
  }
}

private var systemReason: String { String(cString: strerror(errno)) }

extension ConfigurationError {
  fileprivate static func unreadable(_ reason: String) -> Self {
    Self(reason: "it can't be read: \(reason)")
  }

  fileprivate static let noFile = unreadable("it isn't a regular file")
}

extension String {
  fileprivate var folderAndName: (folder: String, name: String) {
    guard let slash = lastIndex(of: "/") else { return (".", self) }
    let folder = self[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(self[index(after: slash)...]))
  }
}
