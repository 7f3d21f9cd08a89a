import struct Composable.SplitMix64
import Glibc
import TerminalTesting
import Testing

@testable import Terminal

/// For random frames, independently written terminals show the last one, cell by cell, with its
/// colours and attributes.
@Suite("Frames drawn by tmux and xterm", .serialized)
struct ForeignTerminalTests {
  private static let size = Size(columns: 30, rows: 8)
  /// The features that both terminals support, and links, which neither shows (tmux before 3.4) but
  /// which must do no harm.
  private static let features: ScreenFeatures = [
    .synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines, .hyperlinks,
  ]

  /// Lets tmux use 24-bit colours and styled underlines on the terminal it runs in.
  private static let tmuxSettings = """
    set -g status off
    set -as terminal-features ',*:RGB:usstyle'

    """

  /// Compares what tmux draws on the terminal it runs in.
  @Test(.enabled(if: access("/usr/bin/tmux", X_OK) == 0, "tmux is missing"), arguments: 0..<20)
  func tmuxShowsTheFrame(seed: Int) throws {
    let (bytes, expected) = randomFrames(
      seed: seed, features: Self.features.union(.styledUnderlines))
    let name = "/tmp/frames-\(getpid())-\(seed)"
    let settings = name + ".conf"
    defer {
      unlink(name)
      unlink(settings)
    }
    try write(bytes, to: name)
    try write(Array(Self.tmuxSettings.utf8), to: settings)
    let pty = try PTY(
      "/usr/bin/tmux",
      [
        "-f", settings, "-L", "frames-\(getpid())-\(seed)", "new-session",
        "stty raw -echo; cat \(name); exec sleep 100",
      ], environment: ["LC_ALL": "C.UTF-8", "TMUX": nil], size: Self.size)
    do {
      try pty.wait(limit: 5) { firstDifference($0, expected) == nil }
    } catch {
      Issue.record("\(firstDifference(pty.screen, expected) ?? "in time")")
    }
    pty.hangUp()
    let ending = try PTY(
      "/usr/bin/tmux", ["-L", "frames-\(getpid())-\(seed)", "kill-server"])
    try ending.waitForExit()
  }

  /// Queries xterm for the checksum of each cell, which covers its characters and four attributes.
  /// Run by `Scripts/check-xterm`, which starts the required X server.
  @Test(
    .enabled(if: getenv("CHECK_XTERM") != nil, "run Scripts/check-xterm"), arguments: 0..<100)
  func xtermShowsTheFrame(seed: Int) throws {
    let (bytes, expected) = randomFrames(seed: seed, features: Self.features)
    let name = "/tmp/frames-\(getpid())-\(seed)"
    let answers = name + "-answers"
    defer {
      unlink(name)
      unlink(answers)
    }
    var questions = ""
    for row in 1...Self.size.rows {
      for column in 1...Self.size.columns {
        questions += "\u{1B}[1;1;\(row);\(column);\(row);\(column)*y"
      }
    }
    try write(bytes + Array(questions.utf8), to: name)
    let script = """
      export LC_ALL=C.UTF-8
      exec xterm -u8 -fn fixed -geometry \(Self.size.columns)x\(Self.size.rows) \
      -xrm '*allowWindowOps: true' -xrm '*checksumExtension: 53' \
      -e sh -c 'stty raw -echo; cat \(name); head -c \(11 * expected.cells.count) > \(answers)'
      """
    let pty = try PTY("/bin/sh", ["-c", script])
    #expect(try pty.waitForExit() == .exited(0))
    let sums = try read(answers).split(separator: 0x1B).compactMap { answer -> Int? in
      let text = String(decoding: answer, as: UTF8.self)
      return text.hasPrefix("P1!~") ? Int(text.dropFirst(4), radix: 16) : nil
    }
    try #require(sums.count == expected.cells.count)
    for (index, cell) in expected.cells.enumerated() where !cell.text.isEmpty {
      // Bold isn't visible on a blank.
      let isRight =
        cell.text == " "
        ? sums[index] & ~0x80 == checksum(cell) & ~0x80 : sums[index] == checksum(cell)
      if !isRight {
        let place = "column \(index % Self.size.columns), row \(index / Self.size.columns)"
        Issue.record("\(place): \(cell), checksum \(sums[index])\n\(expected.text)")
        return
      }
    }
  }

  /// Returns the checksum of a cell as computed by xterm (DECRQCRA, with `checksumExtension` 1, 4,
  /// 16 and 32).
  private func checksum(_ cell: Frame.Cell) -> Int {
    // xterm composes characters where Unicode has a composed form.
    let text = cell.text == "é" ? "\u{E9}".unicodeScalars : cell.text.unicodeScalars
    var sum = text.reduce(0) { $0 + Int($1.value) }
    let attributes = cell.style.attributes
    if attributes.contains(.underline) { sum += 0x10 }
    if attributes.contains(.reverse) { sum += 0x20 }
    if attributes.contains(.blink) { sum += 0x40 }
    if attributes.contains(.bold) { sum += 0x80 }
    return sum & 0xFFFF
  }

  /// Returns the bytes of several frames, and the last frame.
  private func randomFrames(seed: Int, features: ScreenFeatures) -> ([UInt8], Frame) {
    var random = SplitMix64(seed: UInt64(seed))
    var frames = RandomFrame()
    frames.texts = RandomFrame.undisputedTexts
    let screen = Screen()
    screen.features = features
    var bytes: [UInt8] = []
    var last: Frame?
    for _ in 0...seed % 12 + 3 {
      screen.begin(size: Self.size)
      frames.draw(on: screen, using: &random)
      last = Frame(screen: screen)
      bytes += screen.present(cursor: nil, isCursorVisible: false)
    }
    return (bytes, last!)
  }

  /// Returns a description of the first cell that tmux shows differently, if any. tmux sends
  /// underline colours as RGB components.
  private func firstDifference(_ shown: InMemoryTerminal, _ expected: Frame) -> String? {
    for row in 0..<Self.size.rows {
      for column in 0..<Self.size.columns {
        let (wanted, cell) = (expected[column, row], shown[column: column, row: row])
        var style = wanted.style.reduced(to: .trueColor, features: .styledUnderlines)
        if let (red, green, blue) = style.underlineColor.components {
          style.underlineColor = .rgb(red, green, blue)
        }
        guard cell.text == wanted.text, CellStyle(style).looks(like: cell) else {
          return
            "column \(column), row \(row): \(wanted), shown \(cell)\n\(expected.text)\n--\n\(shown)"
        }
      }
    }
    return nil
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  private func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }
}
