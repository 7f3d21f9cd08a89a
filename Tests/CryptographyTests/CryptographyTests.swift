import Cryptography
import Testing

@Suite("Cryptography")
struct CryptographyTests {
  @Test(
    "A password is known by its hash, and no other",
    arguments: ["", "four random words", "pässwörd 🗝"])
  func password(_ password: String) async throws {
    let hash = try await PasswordHashing.minimal.hash(password)
    #expect(hash.hasPrefix("$argon2id$"))
    #expect(await PasswordHashing.minimal.matches(password, hash))
    #expect(await !PasswordHashing.minimal.matches(password + "x", hash))
    #expect(await !PasswordHashing.minimal.matches(password, nil))
    #expect(try await PasswordHashing.minimal.hash(password) != hash)
  }

  @Test("A hash says its own cost, so that another setting verifies it")
  func costs() async throws {
    let hash = try await PasswordHashing.minimal.hash("secret")
    #expect(await PasswordHashing.moderate.matches("secret", hash))
  }

  @Test("What is no hash matches nothing")
  func noHash() async {
    #expect(await !PasswordHashing.minimal.matches("secret", "secret"))
    #expect(await !PasswordHashing.minimal.matches("", ""))
  }

  @Test("Tokens differ, and so do their digests")
  func tokens() {
    let tokens = (0..<100).map { _ in SecureToken() }
    #expect(Set(tokens.map(\.text)).count == 100)
    #expect(Set(tokens.map(\.digest)).count == 100)
    #expect(tokens.allSatisfy { $0.text.utf8.count == 64 && $0.digest != $0.text })
    #expect(SecureToken(text: tokens[0].text).digest == tokens[0].digest)
  }
}
