import Clients
import Composable
import Domain
import SQLite
import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal documents`, with files on a real disk.
struct DocumentsCommandTests {
  private let world = World()
  private let home: TemporaryFolder
  private var folder: String { home.path }

  init() throws {
    home = try TemporaryFolder()
    world[\.variables] = ["HOME": home.path]
  }

  private func write(_ text: String, to name: String) throws -> String {
    try home.write(text, to: name)
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates the account of Mary, Ada's dependent, with a document of each kind.
  /// - Parameter roles: What Mary asks Ada to be.
  private func openMary(asking roles: Roles = .responder) async throws -> DependencyValues {
    var mary = DependencyValues()
    world.platform.with(account: "mary@example.org").install(in: &mary)
    _ = try await mary.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Mary Ward"),
        credentials: Credentials(email: "mary@example.org", password: Secret("four random words"))
      ))
    let code = try await world.values.userClient.currentUser().code
    let request = try await mary.contactsClient.request(code, roles)
    _ = try await world.values.contactsClient.accept(request.id)
    for access in EmergencyDocument.Access.allCases {
      let metadata = StorageMetadata(
        name: "\(access.rawValue).txt", contentType: .text, access: access)
      for await _ in mary.fileStorageClient.upload(Data(access.rawValue.utf8), metadata) {}
    }
    return mary
  }

  @Test("DOC-1: documents add doesn't warn about missing readers once a responder has an account")
  func reader() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    _ = try await openMary(asking: .dependent)
    let card = try write("blood group 0", to: "card.txt")
    await world.expect(
      ["documents", "add", card],
      .init(0, "Added card.txt. Responders with an account can open it always.\n"))
  }

  @Test("DOC-1: documents are added, listed, renamed and removed; a name that is taken is refused")
  func life() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    await world.expect("documents", .init(0, error: "lifesignal: There are no documents.\n"))
    let card = try write("blood group 0", to: "card.txt")
    let nobody =
      "lifesignal: Nobody can open it yet: none of your responders has an account here.\n"
    await world.expect(
      ["documents", "add", card],
      .init(
        0, "Added card.txt. Responders with an account can open it always.\n", error: nobody))
    await world.expect(
      ["documents", "add", "~/card.txt", "--during-alert"],
      .init(
        0, "Added card (2).txt. Responders with an account can open it during an alert.\n",
        error: nobody))
    await world.expect(
      "documents list",
      .init(
        0,
        """
        card (2).txt  13 B  during an alert
        card.txt      13 B  always

        """))
    await world.expect(
      ["documents", "rename", "CARD (2)", "Insurance.txt"],
      .init(0, "Renamed card (2).txt to Insurance.txt.\n"))
    await world.expect(
      ["documents", "rename", "card", "insurance.TXT"],
      .init(
        1,
        error: "lifesignal: You already have a document called “Insurance.txt”."
          + " Choose another name.\n"))
    await world.expect("documents remove ins", .init(0, "Insurance.txt is removed.\n"))
    await world.expect(
      "documents remove ins",
      .init(
        1,
        error: "lifesignal: There is no document “ins”. See lifesignal documents list.\n"))
    #expect(text(card) == "blood group 0")
  }

  @Test("DOC-1: documents remove with a name that fits several documents removes none")
  func ambiguous() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    let card = try write("x", to: "card.txt")
    for _ in 1...2 { _ = await world.run(["documents", "add", card]) }
    await world.expect(
      "documents remove ca",
      .init(
        1,
        error: "lifesignal: “ca” could be card (2).txt and card.txt. Type more of the name.\n"))
    #expect(await world.run("documents remove card.txt").exitCode == 0)
  }

  @Test("DOC-1: adding a missing file, a folder or a file over 10 MB is refused")
  func refused() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    await world.expect(
      ["documents", "add", folder + "/none"],
      .init(
        1, error: "lifesignal: \(folder)/none doesn't exist. Check the path.\n"))
    #expect(await world.run(["documents", "add", folder]).exitCode == 1)
    let large = try write(String(repeating: "x", count: 10_000_001), to: "large")
    await world.expect(
      ["documents", "add", large],
      .init(1, error: "lifesignal: The file is larger than 10 MB. Choose a smaller one.\n"))
    #expect(await world.run("documents add").exitCode == 2)
    #expect(await world.run("documents remvoe x").exitCode == 2)
  }

  @Test("DOC-1: documents get saves a dependent's file, an alert-only file only during an alert")
  func get() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    let mary = try await openMary()
    await world.expect(
      "documents list mary",
      .init(
        0,
        """
        alert.txt   5 B  during an alert
        always.txt  6 B  always

        """))
    let mine = try write("mine", to: "always.txt")
    await world.expect(
      "documents get mary always", .init(0, "Saved as \(folder)/always (2).txt.\n"))
    #expect(text(mine) == "mine" && text(folder + "/always (2).txt") == "always")
    await world.expect(
      "documents get mary alert",
      .init(
        1,
        error: "lifesignal: You can open this document only while an alert is on. Ask its owner to"
          + " change that.\n"))
    _ = try await mary.alertClient.raise("")
    let other = folder + "/new"
    await world.expect(
      ["documents", "get", "mary", "alert", "--to", other],
      .init(0, "Saved as \(other)/alert.txt.\n"))
    #expect(text(other + "/alert.txt") == "alert")
    await world.expect(
      "documents get grace card",
      .init(
        1,
        error: "lifesignal: You have no dependent with an account called “grace”."
          + " See lifesignal contacts.\n"))
  }

  @Test("An export lists documents without contents, and the import names those to add again")
  func export() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await world.openAccount()
    let card = try write("blood group 0", to: "card.txt")
    _ = await world.run(["documents", "add", card])
    let exported = await world.run("export -").output
    #expect(exported.contains(#""name" : "card.txt""#))
    #expect(exported.contains("This file doesn't contain these emergency documents"))
    #expect(!exported.contains("blood"))
    let other = World()
    other[\.files]["a.json"] = .success(Array(exported.utf8))
    #expect(
      await other.run("import a.json").errorOutput
        .hasPrefix(
          "lifesignal: An export has no passphrases: one that you had, or one for duress, no longer"
            + " counts. Set one under Profile › Security.\n"
            + "lifesignal: An export doesn't contain emergency documents. Add them again: card.txt.\n"
        ))
  }
}
