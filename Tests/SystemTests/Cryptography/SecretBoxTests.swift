import Testing

@testable import Cryptography

@Suite struct SecretBoxTests {
  @Test("A sealed text opens only with its key, and its length hides the length of a short text")
  func box() {
    let (box, same) = (SecretBox(secret: "a", for: "x"), SecretBox(secret: "a", for: "x"))
    for text in ["", "7", "730:745:731,733", String(repeating: "9", count: 80)] {
      let sealed = box.seal(text)
      #expect(same.open(sealed) == text && sealed.count == 160)
      #expect(sealed != box.seal(text))
      #expect(sealed.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
      #expect(SecretBox(secret: "a", for: "y").open(sealed) == nil)
      #expect(SecretBox().open(sealed) == nil)
      #expect(box.open(String(sealed.dropLast(4))) == nil)
    }
    let long = String(repeating: "1,", count: 400)
    #expect(box.open(box.seal(long)) == long && !box.seal(long).contains("="))
    for text in ["", "x", "====", String(repeating: "A", count: 160), "\u{0}ä"] {
      #expect(box.open(text) == nil)
    }
  }
}
