/// Random terminal input: fragments of sequences among arbitrary bytes, and occasionally something
/// endless.
package struct RandomInput {
  private var random: any RandomNumberGenerator

  private static let pieces: [[UInt8]] = [
    "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}\\", "\u{1B}[200~",
    "\u{1B}[201~", "\u{1B}[<", "\u{1B}[M", "\u{1B}[[", ";", ":", "?", "1", "27", "~", "u", "A",
    "M", "m", "R", "\u{7}", "\u{18}", "\u{1A}", "\r", "é", "日", "😀", "$y", "c", "11;rgb:1/2/3",
    "\u{1B}[<35;10;20M", "\u{1B}[48;24;80;480;640t", "\u{1B}[97;5:3u", "\u{1B}[?997;1n",
    "\u{1B}[?1016;1$y", "\u{1B}[?1016;2$y", "\u{1B}[6;20;10t",
    "9999999999", ";;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;",
  ].map { Array($0.utf8) }

  package init(_ random: any RandomNumberGenerator) {
    self.random = random
  }

  /// Returns the next piece of input.
  package mutating func next() -> [UInt8] {
    number(below: 2000) == 0 ? endless() : bytes(pieces: number(below: 400) + 1)
  }

  /// Returns a number of fragments or bytes.
  package mutating func bytes(pieces count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let choice = random.next()
      if choice % 3 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: choice >> 8))
      } else {
        bytes += Self.pieces[Int(choice >> 8) % Self.pieces.count]
      }
    }
    return bytes
  }

  package mutating func number(below limit: UInt64) -> Int { Int(random.next() >> 8 % limit) }

  private mutating func endless() -> [UInt8] {
    let begin = Self.pieces[number(below: UInt64(Self.pieces.count))]
    return begin + [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: 150_000)
  }
}
