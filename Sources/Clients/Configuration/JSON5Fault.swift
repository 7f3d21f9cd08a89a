/// The place where a text stops being JSON5, and the reason.
///
/// The decoder that reads the file says only that a text is wrong. This walks the grammar of
/// <https://spec.json5.org> just far enough to point at the first token that does not fit.
struct JSON5Fault: Equatable {
  /// The line, counted from 1.
  var line: Int
  var reason: String

  /// Finds the first fault of a text; `nil` if it finds none.
  init?(in text: String) {
    var walker = Walker(bytes: Array(text.utf8))
    do throws(Stop) {
      try walker.value(depth: 0)
      try walker.end()
      return nil
    } catch {
      line = walker.line
      reason = error.reason
    }
  }

  /// A member of the outermost object, with the range of its key and value in the UTF-8 text.
  struct Member: Equatable {
    var key: String
    var range: Range<Int>
  }

  /// Returns the members of the outermost object and where a first one can be inserted, or `nil` if
  /// the text has no such object.
  static func members(of text: String) -> (members: [Member], start: Int)? {
    var walker = Walker(bytes: Array(text.utf8))
    guard (try? walker.value(depth: 0)) != nil, (try? walker.end()) != nil,
      let start = walker.firstMember
    else { return nil }
    return (walker.members, start)
  }

  private struct Stop: Error {
    var reason: String
  }

  private struct Walker {
    let bytes: [UInt8]
    var index = 0
    var line = 1
    /// The members of the outermost object.
    var members: [Member] = []
    var firstMember: Int?

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func starts(with text: StaticString) -> Bool {
      bytes[index...].starts(with: "\(text)".utf8)
    }

    private mutating func step() {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }

    mutating func end() throws(Stop) {
      try skip()
      if next != nil { throw unexpected() }
    }

    mutating func value(depth: Int) throws(Stop) {
      guard depth < 64 else { throw Stop(reason: "the nesting is too deep") }
      try skip()
      switch next {
      case UInt8(ascii: "{"): try members(depth: depth)
      case UInt8(ascii: "["): try elements(depth: depth)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
      case let byte? where Self.isWord(byte):
        let word = word()
        let isNumber = word.first.map { !$0.isLetter } ?? false
        guard isNumber || ["true", "false", "null", "Infinity", "NaN"].contains(word) else {
          throw Stop(reason: "“\(word.prefix(30))” needs quotes")
        }
      default: throw unexpected()
      }
    }

    private mutating func members(depth: Int) throws(Stop) {
      step()
      if depth == 0 { firstMember = index }
      while true {
        try skip()
        if next == UInt8(ascii: "}") { return step() }
        let start = index
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
          try string()
        } else if word().isEmpty {
          throw unexpected()
        }
        let key = String(decoding: bytes[start..<index], as: UTF8.self)
        try skip()
        guard next == UInt8(ascii: ":") else { throw expected("a colon") }
        step()
        try value(depth: depth + 1)
        if depth == 0 {
          let name = key.filter { $0 != "\"" && $0 != "'" }
          members.append(Member(key: name, range: start..<index))
        }
        try skip()
        if next == UInt8(ascii: ",") {
          step()
        } else if next != UInt8(ascii: "}") {
          throw expected("a comma or }")
        }
      }
    }

    private mutating func elements(depth: Int) throws(Stop) {
      step()
      while true {
        try skip()
        if next == UInt8(ascii: "]") { return step() }
        try value(depth: depth + 1)
        try skip()
        if next == UInt8(ascii: ",") {
          step()
        } else if next != UInt8(ascii: "]") {
          throw expected("a comma or ]")
        }
      }
    }

    private mutating func string() throws(Stop) {
      let quote = bytes[index]
      let start = line
      step()
      while let byte = next {
        switch byte {
        case quote: return step()
        case UInt8(ascii: "\\"):
          step()
          if next != nil { step() }
        case UInt8(ascii: "\n"):
          throw Stop(reason: "a string has no closing quote")
        default: step()
        }
      }
      line = start
      throw Stop(reason: "a string has no closing quote")
    }

    /// Skips white space and comments.
    private mutating func skip() throws(Stop) {
      while let byte = next {
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
          step()
        } else if starts(with: "//") {
          while let byte = next, byte != UInt8(ascii: "\n") { index += 1 }
        } else if starts(with: "/*") {
          let start = line
          while !starts(with: "*/") {
            guard next != nil else {
              line = start
              throw Stop(reason: "a comment has no end")
            }
            step()
          }
          index += 2
        } else {
          return
        }
      }
    }

    private mutating func word() -> String {
      let start = index
      while let byte = next, Self.isWord(byte) { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
        UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), 0x80...0xFF:
        true
      default: false
      }
    }

    private func expected(_ what: String) -> Stop {
      next == nil ? unexpected() : Stop(reason: "\(what) is missing")
    }

    private func unexpected() -> Stop {
      guard let byte = next else { return Stop(reason: "the file ends too early") }
      let shown = (0x21...0x7E).contains(byte) ? String(UnicodeScalar(byte)) : "a character"
      return Stop(reason: "\(shown) does not belong here")
    }
  }
}
