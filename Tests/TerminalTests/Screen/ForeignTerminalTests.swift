import Glibc
import TerminalTesting
import Testing

@testable import Terminal

/// For random frames, terminals that somebody else has written show the last one, cell by cell, with
/// its colours and attributes.
@Suite("Frames in other terminals", .serialized)
struct ForeignTerminalTests {
  private static let size = Size(columns: 30, rows: 8)

  /// What tmux makes of the frames is what it draws on the terminal that it runs in.
  @Test(.enabled(if: access("/usr/bin/tmux", X_OK) == 0, "tmux is missing"), arguments: 0..<20)
  func tmuxShowsTheFrame(seed: Int) throws {
    let (bytes, expected) = randomFrames(seed: seed)
    let name = "/tmp/frames-\(getpid())-\(seed)"
    let settings = name + ".conf"
    defer {
      unlink(name)
      unlink(settings)
    }
    try write(bytes, to: name)
    try write(Array("set -g status off\nset -as terminal-features ',*:RGB'\n".utf8), to: settings)
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

  /// By `Scripts/check-xterm`, which starts the X server that it needs.
  @Test(
    .enabled(if: getenv("CHECK_XTERM") != nil, "run Scripts/check-xterm"), arguments: 0..<40)
  func xtermShowsTheFrame(seed: Int) throws {
    let (bytes, expected) = randomFrames(seed: seed)
    let name = "/tmp/frames-\(getpid())-\(seed)"
    let dump = name + "-dump"
    defer {
      unlink(name)
      unlink(dump)
    }
    try write(bytes, to: name)
    // MC prints the screen, here with colours and attributes.
    let script = """
      export LC_ALL=C.UTF-8
      xterm -u8 -fn fixed -geometry \(Self.size.columns)x\(Self.size.rows) \
      -xrm '*printAttributes: 2' -xrm '*printerCommand: cat > \(dump)' \
      -xrm '*printerAutoClose: true' \
      -e sh -c 'stty raw -echo; cat \(name); printf "\\033[i\\033[5n"; dd bs=4 count=1 2>/dev/null'
      until [ -s \(dump) ]; do sleep 0.01; done
      """
    let pty = try PTY("/bin/sh", ["-c", script])
    #expect(try pty.waitForExit() == .exited(0))
    var shown = InMemoryTerminal(size: Self.size)
    let rows = try read(dump).split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(rows.count >= Self.size.rows)
    // Each row by itself: whether one ends in the last column or before it, the next begins anew.
    for (row, bytes) in rows.prefix(Self.size.rows).enumerated() {
      shown.feed("\u{1B}[\(row + 1)H")
      shown.feed(bytes.filter { $0 != 0x0D && $0 != 0x0C })
    }
    if let difference = firstDifference(shown, expected) { Issue.record("\(difference)") }
  }

  /// The bytes of some frames, and the last frame.
  private func randomFrames(seed: Int) -> ([UInt8], Frame) {
    var random = SeededRandom(seed: UInt64(seed))
    var frames = RandomFrame()
    frames.texts = RandomFrame.undisputedTexts
    let screen = Screen()
    screen.features = [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines]
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

  /// The first cell that a terminal shows differently.
  private func firstDifference(_ shown: InMemoryTerminal, _ expected: Frame) -> String? {
    for row in 0..<Self.size.rows {
      for column in 0..<Self.size.columns {
        let (wanted, cell) = (expected[column, row], shown[column: column, row: row])
        guard cell.text == wanted.text, CellStyle(wanted.style).looks(like: cell) else {
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
