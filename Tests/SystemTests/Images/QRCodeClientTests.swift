import Clients
import Foundation
import TestSupport
import Testing

@testable import Images

@Suite struct QRCodeClientTests {
  private let link = "lifesignal://add/6f1c2d80-0000-4000-8000-00000000beef"

  /// Calls `body` with the path of a temporary folder.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.path)
  }

  @Test("QR-1: the QR code of an add link has 29 × 29 modules, which fit into 24 lines")
  func link() async throws {
    let modules = try await QRCodeClient.live.modules(link)
    #expect(modules.count == 29)
    #expect(modules.allSatisfy { $0.count == 29 })
    // The finder pattern is in three corners but not in the fourth.
    #expect(modules[0].prefix(8) == [true, true, true, true, true, true, true, false])
    #expect(modules[28].prefix(7).allSatisfy { $0 })
    #expect(modules[0].suffix(7).allSatisfy { $0 })
    #expect(!modules[28].suffix(7).allSatisfy { $0 })
  }

  @Test("QR-1: zbarimg reads the saved picture of a code", .enabled(if: Self.canScan))
  func scan() async throws {
    try await withFolder { folder in
      let modules = try await QRCodeClient.live.modules(link)
      let path = folder + "/code.png"
      try await QRCodeClient.live.save(modules, path)
      let scanner = Process()
      scanner.executableURL = URL(fileURLWithPath: Self.scanner)
      scanner.arguments = ["--nodbus", "--quiet", "--raw", path]
      let output = Pipe()
      scanner.standardOutput = output
      try scanner.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      scanner.waitUntilExit()
      #expect(text == link + "\n")
    }
  }

  private static let scanner = "/usr/bin/zbarimg"
  private static var canScan: Bool { FileManager.default.isExecutableFile(atPath: scanner) }

  @Test("QR-1: saved pictures have a light border of four modules around the code")
  func pictures() async throws {
    try await withFolder { folder in
      let modules = [[true, false], [false, true]]
      try await QRCodeClient.live.save(modules, folder + "/code.SVG")
      let svg = try String(contentsOfFile: folder + "/code.SVG", encoding: .utf8)
      #expect(svg.contains(#"viewBox="0 0 10 10""#))
      #expect(svg.contains(#"<path d="M4 4h1v1h-1zM5 5h1v1h-1z"/>"#))
      try await QRCodeClient.live.save(modules, folder + "/code.png")
      let png = try Data(contentsOf: URL(fileURLWithPath: folder + "/code.png"))
      #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      // The width and height in the header.
      #expect(png[16..<24] == Data([0, 0, 0, 80, 0, 0, 0, 80]))
    }
  }

  @Test("Saving a QR code refuses an existing file, an unknown format and a missing folder")
  func refusals() async throws {
    try await withFolder { folder in
      let path = folder + "/code.png"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      await #expect(throws: QRCodeError.exists(path: path)) {
        try await QRCodeClient.live.save([[true]], path)
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
      await #expect(throws: QRCodeError.unknownFormat) {
        try await QRCodeClient.live.save([[true]], folder + "/code.gif")
      }
      let nowhere = folder + "/none/code.svg"
      await #expect(
        throws: QRCodeError.cannotWrite(path: nowhere, reason: "No such file or directory")
      ) {
        try await QRCodeClient.live.save([[true]], nowhere)
      }
      await #expect(throws: QRCodeError.tooLong) {
        try await QRCodeClient.live.modules(String(repeating: "a", count: 3_000))
      }
      await #expect(throws: QRCodeError.tooLong) { try await QRCodeClient.live.modules("") }
    }
  }
}
