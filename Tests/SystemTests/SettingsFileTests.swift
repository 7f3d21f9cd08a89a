import Clients
import Foundation
import Glibc
import TestSupport
import Testing

@testable import System

/// `config.json5` on disk: whose settings are trusted, and what isn't a regular file.
@Suite(.timeLimit(.minutes(1))) struct SettingsFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/config.json5" }
  private static let text = #"{sendmail: "/usr/sbin/sendmail", links: {url: "https://l.example"}}"#

  init() throws { folder = try TemporaryFolder() }

  private func read() throws(ConfigurationError) -> SavedConfiguration {
    try SettingsFile(path: path).read()
  }

  private func expectError(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: ConfigurationError(reason: reason), sourceLocation: sourceLocation) {
      try read()
    }
  }

  // MARK: Write permission

  @Test("Settings that only their owner can write are in force with their commands")
  func trusted() throws {
    try folder.write(Self.text, to: "config.json5")
    for (file, parent) in [(0o600, 0o700), (0o644, 0o755), (0o444, 0o500)] as [(mode_t, mode_t)] {
      chmod(path, file)
      chmod(folder.path, parent)
      let saved = try read()
      #expect(saved.exposure == nil)
      #expect(saved.configuration.sendmail?.path == "/usr/sbin/sendmail")
    }
    chmod(folder.path, 0o700)
  }

  @Test(
    "Settings that others can write lose their commands, and nothing else",
    arguments: [0o620, 0o602, 0o664, 0o666, 0o777] as [mode_t])
  func openFile(mode: mode_t) throws {
    try folder.write(Self.text, to: "config.json5")
    chmod(path, mode)
    let saved = try read()
    #expect(saved.configuration.sendmail == nil)
    #expect(saved.configuration.links?.url == "https://l.example")
    #expect(saved.exposure?.path == path && saved.exposure?.fault == .open)
    #expect(saved.exposure?.withheld == [.sendmail])
  }

  @Test(
    "Settings in a folder that others can write lose their commands, unless the folder is sticky",
    arguments: [(0o770, true), (0o702, true), (0o777, true), (0o1777, false), (0o1770, false)]
      as [(mode_t, Bool)])
  func openFolder(mode: mode_t, isExposed: Bool) throws {
    try folder.write(Self.text, to: "config.json5")
    chmod(folder.path, mode)
    let saved = try read()
    #expect((saved.exposure != nil) == isExposed)
    #expect((saved.configuration.sendmail == nil) == isExposed)
    if isExposed {
      #expect(saved.exposure?.path == folder.path && saved.exposure?.fault == .open)
    }
    #expect(saved.configuration.links != nil)
  }

  @Test("Settings that belong to a user other than this one and root lose their commands")
  func foreignFile() throws {
    try folder.write(Self.text, to: "config.json5")
    let owner = geteuid()
    let read = { (owners: Set<uid_t>) in try SettingsFile(path: path, owners: owners).read() }
    #expect(try read([owner]).exposure == nil)
    let foreign = try read([owner + 1])
    #expect(foreign.exposure?.fault == .foreign && foreign.configuration.sendmail == nil)
    #expect(foreign.configuration.links != nil)
  }

  @Test(
    "Settings lose their commands if the file or its folder belongs to another user",
    .enabled(if: geteuid() == 0))
  func givenAway() throws {
    try folder.write(Self.text, to: "config.json5")
    #expect(chown(path, 12_345, 0) == 0)
    #expect(try read().exposure?.path == path)
    #expect(try read().exposure?.fault == .foreign)
    #expect(chown(path, 0, 0) == 0 && chown(folder.path, 12_345, 0) == 0)
    // The owner of a folder can replace its files, even if the sticky bit is set.
    chmod(folder.path, 0o1755)
    #expect(try read().exposure?.path == folder.path)
    #expect(try read().configuration.sendmail == nil)
  }

  // MARK: Links

  @Test("A link to the settings is followed, and each file and folder on the way is checked")
  func links() throws {
    for name in ["one", "two"] { mkdir(folder.path + "/" + name, 0o700) }
    try folder.write(Self.text, to: "two/settings")
    #expect(symlink("one/middle", path) == 0)
    #expect(symlink("../two/settings", folder.path + "/one/middle") == 0)
    #expect(try read().exposure == nil)
    #expect(try read().configuration.sendmail != nil)
    for place in ["one", "two", "two/settings"] {
      let mode: mode_t = place == "two/settings" ? 0o600 : 0o700
      chmod(folder.path + "/" + place, mode | 0o022)
      #expect(try read().exposure?.path.contains("/" + place) == true)
      #expect(try read().configuration.sendmail == nil)
      chmod(folder.path + "/" + place, mode)
    }
    #expect(try read().exposure == nil)
  }

  @Test("Settings behind another user's link lose their commands", .enabled(if: geteuid() == 0))
  func foreignLink() throws {
    try folder.write(Self.text, to: "settings")
    #expect(symlink(folder.path + "/settings", path) == 0)
    #expect(lchown(path, 12_345, 0) == 0)
    #expect(try read().exposure == ConfigurationExposure.withheldSendmail(path, .foreign))
  }

  @Test("A dangling or circular link to the settings is an error, not an empty file")
  func deadLinks() throws {
    #expect(symlink("nothing", path) == 0)
    expectError("it can't be read: it is a link that leads nowhere")
    unlink(path)
    #expect(symlink("config.json5", path) == 0)
    expectError("it can't be read: too many links lead to it")
  }

  // MARK: Missing and special files

  @Test("A missing settings file or folder counts as empty settings")
  func nothing() throws {
    #expect(try read() == SavedConfiguration())
    #expect(try SettingsFile(path: folder.path + "/none/config.json5").read() == .init())
  }

  @Test(
    "A settings file that is a pipe, folder, device or socket is an error at once",
    arguments: ["pipe", "folder", "device", "socket"])
  func noFile(what: String) throws {
    switch what {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "folder": #expect(mkdir(path, 0o700) == 0)
    case "device": #expect(symlink("/dev/zero", path) == 0)
    default: try bindSocket()
    }
    expectError("it can't be read: it isn't a regular file")
  }

  @Test("A settings folder that is a file, and a settings file over 64 KiB, are errors")
  func wrongSizes() throws {
    try folder.write("", to: "file")
    #expect(throws: ConfigurationError.self) {
      try SettingsFile(path: folder.path + "/file/config.json5").read()
    }
    let largest = "{}" + String(repeating: " ", count: Configuration.sizeLimit - 2)
    try folder.write(largest, to: "config.json5")
    #expect(try read() == SavedConfiguration())
    try folder.write(String(repeating: " ", count: Configuration.sizeLimit + 1), to: "config.json5")
    expectError("the file is larger than 64 KiB")
    // A sparse file without a byte on disk.
    #expect(truncate(path, 1 << 40) == 0)
    expectError("the file is larger than 64 KiB")
  }

  private func bindSocket() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }

  // MARK: Changes

  @Test("The settings' stamp changes with contents, permissions, links and place of the file")
  func stamp() throws {
    let file = SettingsFile(path: path)
    var stamps = [file.stamp]
    func step(_ change: () throws -> Void) rethrows {
      try change()
      let stamp = file.stamp
      #expect(!stamps.contains(stamp), "step \(stamps.count)")
      #expect(file.stamp == stamp)
      stamps.append(stamp)
    }
    try step { try folder.write("{}", to: "config.json5") }
    try step { try folder.write("{} ", to: "config.json5") }
    step { chmod(path, 0o660) }
    step { chmod(folder.path, 0o777) }
    step { rename(path, folder.path + "/elsewhere") }
    step { symlink("elsewhere", path) }
    step { chmod(folder.path + "/elsewhere", 0o606) }
    step { unlink(folder.path + "/elsewhere") }
    // Other files in the folder don't change the stamp.
    let stamp = file.stamp
    try folder.write("", to: "other")
    #expect(file.stamp == stamp)
  }
}

extension ConfigurationExposure {
  fileprivate static func withheldSendmail(_ path: String, _ fault: Fault) -> Self {
    var exposure = Self(path: path, fault: fault)
    exposure.withheld = [.sendmail]
    return exposure
  }
}
