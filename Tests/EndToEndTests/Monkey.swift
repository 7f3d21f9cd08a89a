import Terminal
import TerminalTesting

/// Types, clicks and resizes at random, reproducibly for each seed. Never presses a key that quits
/// the app.
struct Monkey {
  private var state: UInt64
  /// Its actions so far.
  private(set) var acts: [String] = []

  init(seed: UInt64) { state = seed }

  private static let texts = [
    "1", "2", "3", "4", "5", "a", "c", "d", "e", "i", "m", "n", "r", "t", "w", "x", "y", "?", " ",
    "!", "!!!!!", "24h", "grace@example.org", "日本", "👩‍👩‍👧", "e\u{301}",
    "\u{1B}[200~pasted\n!\u{1B}[201~",
    "\r", "\t", "\u{7F}", "\u{17}", "\u{1F}", "\u{1B}[Z", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C",
    "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[I", "\u{1B}[O",
    // F12: the debug overlay.
    "\u{1B}[24~",
  ]
  private static let sizes = [(80, 24), (120, 40), (60, 18), (20, 5), (1, 1), (200, 60)]

  mutating func act(on pty: PTY) {
    switch random(20) {
    case 0:
      let (columns, rows) = Self.sizes[random(Self.sizes.count)]
      acts.append("\(columns)x\(rows)")
      pty.resize(to: Size(columns: columns, rows: rows))
    case 1, 2:
      let point = Point(column: random(80), row: random(24))
      acts.append("\(point)")
      pty.click(point)
    case 3, 4, 5:
      acts.append("esc")
      pty.press("esc")
    default:
      let text = Self.texts[random(Self.texts.count)]
      acts.append(text)
      pty.send(text)
    }
  }

  /// Returns a number below a bound, from a linear congruential generator (Knuth's MMIX).
  private mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
