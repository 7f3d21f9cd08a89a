import Cryptography
import Testing

@Suite("Cryptography")
struct CryptographyTests {
  @Test("100 tokens are all different, and so are their digests")
  func tokens() {
    let tokens = (0..<100).map { _ in SecureToken() }
    #expect(Set(tokens.map(\.text)).count == 100)
    #expect(Set(tokens.map(\.digest)).count == 100)
    #expect(tokens.allSatisfy { $0.text.utf8.count == 64 && $0.digest != $0.text })
    #expect(SecureToken(text: tokens[0].text).digest == tokens[0].digest)
  }
}
