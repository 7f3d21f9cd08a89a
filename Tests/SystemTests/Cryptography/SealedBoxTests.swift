import Cryptography
import Foundation
import Testing

@Suite struct SealedBoxTests {
  private let keys = SealedBox.Keys()
  private let id = UUID()

  @Test(
    "A sealed text opens with its key and for its purpose alone, and every one has the same size",
    arguments: ["", "x", "river stone", "👩‍👩‍👧é", String(repeating: "a", count: 4_096)])
  func opens(text: String) throws {
    let box = try #require(SealedBox(text, for: id, to: keys.publicKey))
    let read = try JSONDecoder().decode(SealedBox.self, from: JSONEncoder().encode(box))
    #expect(read.open(for: id, with: keys)?.text == text)
    #expect(read.open(for: id, with: keys)?.date == nil)
    #expect(read.open(for: UUID(), with: keys) == nil)
    #expect(read.open(for: id, with: SealedBox.Keys()) == nil)
    #expect(try bytes(of: box).count == 4_176)
  }

  @Test(
    "A box says when it was sealed, in whole milliseconds",
    arguments: [0, 1_795_000_000.123, -5, 253_402_300_799])
  func date(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let box = try #require(SealedBox("x", for: id, at: date, to: keys.publicKey))
    let read = try #require(box.open(for: id, with: keys)?.date)
    #expect(abs(read.timeIntervalSince(date)) < 0.001)
  }

  @Test("A text of more than 4,096 bytes, which is no passphrase, is sealed as an empty one")
  func long() throws {
    let text = String(repeating: "a", count: 4_097)
    let box = try #require(SealedBox(text, for: id, to: keys.publicKey))
    #expect(box.open(for: id, with: keys)?.text == "")
  }

  @Test("Key pairs are kept as text; other texts and keys of other lengths are none")
  func keyTexts() throws {
    let read = try #require(SealedBox.Keys(keys.text))
    #expect(read.publicKey == keys.publicKey)
    let box = try #require(SealedBox("x", for: id, to: read.publicKey))
    #expect(box.open(for: id, with: read)?.text == "x")
    for text in ["", "AAAA", "not base64", keys.text + "AA"] {
      #expect(SealedBox.Keys(text) == nil)
    }
    #expect(SealedBox("x", for: id, to: Data([1, 2, 3])) == nil)
  }

  @Test("A damaged box doesn't open")
  func damaged() throws {
    let whole = try bytes(of: try #require(SealedBox("x", for: id, to: keys.publicKey)))
    for index in [0, 40, whole.count - 1] {
      var bytes = whole
      bytes[index] ^= 1
      #expect(try box(bytes).open(for: id, with: keys) == nil)
    }
    #expect(try box(whole.dropLast()).open(for: id, with: keys) == nil)
    #expect(try box(Data()).open(for: id, with: keys) == nil)
  }

  private func bytes(of box: SealedBox) throws -> Data {
    let values = try JSONDecoder().decode([String: Data].self, from: JSONEncoder().encode(box))
    return try #require(values["sealed"])
  }

  private func box(_ bytes: Data) throws -> SealedBox {
    try JSONDecoder().decode(SealedBox.self, from: JSONEncoder().encode(["sealed": bytes]))
  }
}
