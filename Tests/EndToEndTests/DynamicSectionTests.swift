import Foundation
import TerminalTesting
import Testing

/// The libraries that the built app is linked with, since each one slows down its launch.
@Suite struct DynamicSectionTests {
  /// The libraries named in a 64-bit program's dynamic section (NEEDED).
  static func libraries(of path: String) throws -> [String] {
    let bytes = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
    func number(_ offset: Int, _ size: Int) -> Int {
      bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (headers, size, count) = (number(0x20, 8), number(0x36, 2), number(0x38, 2))
    var loads: [(address: Int, offset: Int, size: Int)] = []
    var dynamic: Range<Int>?
    for header in (0..<count).map({ headers + $0 * size }) {
      let (offset, address, length) =
        (number(header + 8, 8), number(header + 16, 8), number(header + 32, 8))
      switch number(header, 4) {
      case 1: loads.append((address, offset, length))
      case 2: dynamic = offset..<offset + length
      default: break
      }
    }
    let entries = try #require(dynamic)
    let pairs = stride(from: entries.lowerBound, to: entries.upperBound, by: 16).map {
      (tag: number($0, 8), value: number($0 + 8, 8))
    }
    let texts = try #require(pairs.first { $0.tag == 5 }).value
    let load = try #require(loads.first { ($0.address..<$0.address + $0.size).contains(texts) })
    return pairs.filter { $0.tag == 1 }.map { pair in
      let start = texts - load.address + load.offset + pair.value
      return String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  @Test("The app isn't linked with network, TLS or database server libraries")
  func app() throws {
    let libraries = try Self.libraries(of: BuiltProgram.path("lifesignal"))
    #expect(libraries.contains { $0.hasPrefix("libsqlite3") })
    for name in ["libcurl", "libmicrohttpd", "libpq", "libssl", "libgnutls"] {
      #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name)")
    }
  }
}
