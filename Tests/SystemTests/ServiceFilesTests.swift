import Clients
import Domain
import Foundation
import Glibc
import TestSupport
import Testing

@testable import System

/// CHN-4: the user's own service files, which follow the same rules as the settings.
@Suite(.timeLimit(.minutes(1))) struct ServiceFilesTests {
  private let folder: TemporaryFolder
  private static let pigeon = """
    {
      title: "Pigeon", setup: "Feed it.", fields: [{name: "loft", title: "Loft"}],
      request: {url: "https://pigeon.example.org/{loft}", json: {text: "{text}"}},
    }
    """

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/services", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  private var catalog: ServiceCatalog {
    ServiceFiles(Folders(data: "/none", config: folder.path, state: "/none")).read()
  }

  @Test("CHN-4: a user's .json5 file is a service with the file's name; other files are ignored")
  func own() throws {
    let before = catalog.services.count
    try folder.write(Self.pigeon, to: "services/pigeon.json5")
    for name in ["notes.txt", ".hidden.json5", "pigeon.json5~"] {
      try folder.write("x", to: "services/\(name)")
    }
    #expect(catalog["pigeon"]?.title == "Pigeon")
    #expect(catalog.services.count == before + 1 && catalog.faults.isEmpty)
  }

  @Test("CHN-4: a service file that others can write disables its service, even a built-in one")
  func open() throws {
    try folder.write(Self.pigeon, to: "services/telegram.json5")
    chmod(folder.path + "/services/telegram.json5", 0o666)
    #expect(catalog["telegram"] == nil)
    let fault = try #require(catalog.faults["telegram"])
    #expect(fault.text.description.hasPrefix("services/telegram.json5: Others can change "))
    chmod(folder.path + "/services/telegram.json5", 0o600)
    #expect(catalog["telegram"]?.title == "Pigeon")
    chmod(folder.path + "/services", 0o777)
    #expect(catalog["telegram"] == nil)
  }

  @Test("CHN-4: a faulty service file is reported and takes no other service away")
  func wrong() throws {
    try folder.write("{title: 7}", to: "services/slack.json5")
    try folder.write(
      String(repeating: " ", count: Configuration.sizeLimit + 1), to: "services/large.json5")
    #expect(catalog["slack"] == nil && catalog["telegram"] != nil)
    #expect(catalog.faults.keys.sorted() == ["large", "slack"])
    #expect(catalog.faults["slack"]?.file == "services/slack.json5")
    #expect(catalog.faults["large"]?.reason.contains("larger than 65536 bytes") == true)
  }
}
