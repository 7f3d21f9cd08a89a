import Glibc

/// A person of the workload, the same in every language the workload is written in.
struct Contact: Equatable {
  static let count = 10_000

  let index: Int

  var name: String {
    if index == 1, let hostile = Self.hostileName { return hostile }
    let number = Self.padded(index, to: 5, with: "0")
    if index % 8 == 7 { return "\(Self.ideographic[index / 8 % 4]) #\(number)" }
    return "\(Self.first[index % 16]) \(Self.last[index / 16 % 16]) #\(number)"
  }

  var status: String { Self.statuses[index % 4] }

  /// The palette index of the status's colour.
  var color: UInt8 { Self.colors[index % 4] }

  /// Returns the time left, `t` seconds after the start: `" 0d 02:11:59"`.
  func deadline(at t: Int) -> String {
    var seconds = (index * 7919 - t) % 864_000
    if seconds < 0 { seconds += 864_000 }
    return String(unsafeUninitializedCapacity: 12) { characters in
      func write(
        _ number: Int, at place: Int, before separator: Unicode.Scalar,
        padding: Unicode.Scalar = "0"
      ) {
        let zero = UInt8(ascii: "0")
        characters[place] = number < 10 ? UInt8(ascii: padding) : zero + UInt8(number / 10)
        characters[place + 1] = zero + UInt8(number % 10)
        characters[place + 2] = UInt8(ascii: separator)
      }
      write(seconds / 86_400, at: 0, before: "d", padding: " ")
      characters[3] = UInt8(ascii: " ")
      write(seconds / 3_600 % 24, at: 4, before: ":")
      write(seconds / 60 % 60, at: 7, before: ":")
      characters[10] = UInt8(ascii: "0") + UInt8(seconds % 60 / 10)
      characters[11] = UInt8(ascii: "0") + UInt8(seconds % 10)
      return 12
    }
  }

  /// Returns a number of at most `width` digits, padded on the left with an ASCII character.
  static func padded(_ number: Int, to width: Int, with padding: Unicode.Scalar) -> String {
    String(unsafeUninitializedCapacity: width) { characters in
      var rest = number
      for place in (0..<width).reversed() {
        let isDigit = rest > 0 || place == width - 1
        characters[place] =
          isDigit ? UInt8(ascii: "0") + UInt8(rest % 10) : UInt8(ascii: padding)
        rest /= 10
      }
      return width
    }
  }

  /// A name that attacks the terminal, used if `HOSTILE` is in the environment.
  private static let hostileName: String? =
    getenv("HOSTILE") == nil
    ? nil
    : "Evil\u{1B}[31mRED\u{1B}]0;pwned\u{7}\u{1B}[2J\u{1B}[10;10HOOPS\u{9B}5mC1\u{202E}abc\u{2069}\rCR"

  private static let first = [
    "Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Alan", "Katherine", "Dennis",
    "Radia", "Ken", "Margaret", "Niklaus", "Shafi", "Tony", "Zoë",
  ]
  private static let last = [
    "Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Allen", "Turing", "Johnson", "Ritchie",
    "Perlman", "Thompson", "Hamilton", "Wirth", "Goldwasser", "Hoare", "Müller",
  ]
  private static let ideographic = ["山田 太郎", "김민준", "王小明", "鈴木 花子"]
  private static let statuses = ["ok", "due", "late", "paused"]
  private static let colors: [UInt8] = [114, 221, 203, 245]
}
