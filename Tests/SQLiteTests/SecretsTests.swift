import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Secrets", .timeLimit(.minutes(1)))
struct SecretsTests {
  @Test("Secrets are kept in a file with mode 0600 and can be read after reopening the store")
  func file() async throws {
    let place = try Place()
    try await place.open().keychain.set("smtp-password", "p/ä\"")
    #expect(place.mode(place.folders.secrets) == 0o600)
    #expect(try await place.open().keychain.get("smtp-password") == "p/ä\"")
    #expect(!place.exists(place.folders.secrets + ".new"))
  }

  @Test("A secrets file that others can read is refused, with the chmod to run")
  func looseMode() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.keychain.set("a", "b")
    chmod(place.folders.secrets, 0o644)
    let path = place.folders.secrets
    await #expect(
      throws: KeychainError.permissionDenied(
        "others can read or write \(path); close it with `chmod 600 \(path)`")
    ) { try await store.keychain.get("a") }
    await #expect(throws: KeychainError.self) { try await store.keychain.set("a", "c") }
  }

  @Test("A symbolic link in place of the secrets file is refused")
  func symbolicLink() async throws {
    let place = try Place()
    let store = try place.open()
    try place.write(Array("{\"a\":\"b\"}".utf8), to: place.root + "/secrets")
    #expect(symlink(place.root + "/secrets", place.folders.secrets) == 0)
    await #expect(throws: KeychainError.self) { try await store.keychain.get("a") }
  }

  @Test("A damaged secrets file is reported without its contents and isn't overwritten")
  func damaged() async throws {
    let place = try Place()
    let store = try place.open()
    try place.write(Array("{\"a\":\"hunter2".utf8), to: place.folders.secrets)
    do {
      _ = try await store.keychain.get("a")
      Issue.record("it was read")
    } catch {
      #expect(!"\(error)".contains("hunter2"))
    }
    // The broken file isn't overwritten either.
    await #expect(throws: KeychainError.self) { try await store.keychain.set("b", "c") }
    #expect(place.bytes(place.folders.secrets) == Array("{\"a\":\"hunter2".utf8))
  }

  @Test("A secret in systemd's credentials is used before the one in the file")
  func credentials() async throws {
    let place = try Place()
    let credentials = place.root + "/credentials"
    #expect(mkdir(credentials, 0o700) == 0)
    try place.write(Array("from systemd\n".utf8), to: credentials + "/smtp-password")
    chmod(credentials + "/smtp-password", 0o440)
    let store = try place.open(credentials: credentials)
    try await store.keychain.set("smtp-password", "from file")
    try await store.keychain.set("other", "from file")
    #expect(try await store.keychain.get("smtp-password") == "from systemd")
    #expect(try await store.keychain.get("other") == "from file")
    try place.write(Array("secret".utf8), to: place.root + "/outside")
    #expect(try await store.keychain.get("../outside") == nil)
  }

  @Test("Two programs that store secrets at once lose none")
  func processes() async throws {
    let place = try Place()
    try PrivateFiles.makeFolder(place.folders.data)
    let file = SecretsFile(path: place.folders.secrets, credentials: nil)
    let child = try ChildProcess(.keepSecrets, root: place.root)
    async let reports = child.reports()
    for number in 0..<SecretsChildTask.count { try file.set("parent-\(number)", "p\(number)") }
    #expect(await reports == String(repeating: "o", count: SecretsChildTask.count))
    for number in 0..<SecretsChildTask.count {
      #expect(try file.get("parent-\(number)") == "p\(number)")
      #expect(try file.get("child-\(number)") == "c\(number)")
    }
  }
}

/// The task of the child process in ``SecretsTests``.
@Suite(.timeLimit(.minutes(2)))
struct SecretsChildTask {
  static let count = 60

  @Test(.enabled(if: ChildProcess.root(for: .keepSecrets) != nil))
  func keepSecrets() throws {
    let root = try #require(ChildProcess.root(for: .keepSecrets))
    let file = SecretsFile(path: Place(reopening: root).folders.secrets, credentials: nil)
    for number in 0..<Self.count {
      do {
        try file.set("child-\(number)", "c\(number)")
        ChildProcess.report("o")
      } catch {
        ChildProcess.report("e")
      }
    }
  }
}
