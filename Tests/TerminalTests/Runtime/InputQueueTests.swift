import Testing

@testable import Terminal

/// What is kept of the terminal's input, and for how long.
struct InputQueueTests {
  private let start = ContinuousClock.now
  private let paste = "\u{1B}[200~"

  /// A queue fed with texts at times in milliseconds.
  private func queue(_ inputs: [(Int, String)]) -> InputQueue {
    var queue = InputQueue(now: start)
    for (milliseconds, text) in inputs { feed(text, at: milliseconds, to: &queue) }
    return queue
  }

  private func feed(_ text: String, at milliseconds: Int, to queue: inout InputQueue) {
    let now = start + .milliseconds(milliseconds)
    if let deadline = queue.deadline, deadline <= now { queue.settle(at: deadline) }
    queue.feed(Array(text.utf8), at: now)
    queue.settle(at: now)
    queue.endDrain()
  }

  private func rest(of queue: inout InputQueue, at milliseconds: Int? = nil) -> [DecodedInput] {
    if let milliseconds { queue.settle(at: start + .milliseconds(milliseconds)) }
    var result: [DecodedInput] = []
    while let next = queue.next() { result.append(next) }
    return result
  }

  private func keys(_ text: String) -> [DecodedInput] {
    text.map { .event(.key(.character($0))) }
  }

  // MARK: Sequences that don't end

  @Test("A paste without an end marker ends after 1 s of silence, and keys act again")
  func pasteEndsInSilence() {
    var queue = queue([(0, paste + "hello")])
    #expect(queue.deadline == start + .seconds(1))
    #expect(rest(of: &queue, at: 999) == [])
    #expect(rest(of: &queue, at: 1_000) == [.event(.paste("hello"))])
    feed("!!!!!\u{3}", at: 1_100, to: &queue)
    #expect(rest(of: &queue) == keys("!!!!!") + [.event(.key("ctrl+c"))])
  }

  @Test("A paste that arrives in pieces over many seconds stays one whole paste")
  func longPaste() {
    let piece = String(repeating: "text ", count: 10)
    var queue = queue(
      [(0, paste)] + (1...20).map { ($0 * 900, piece) } + [(18_500, "\u{1B}[201~")])
    #expect(rest(of: &queue) == [.event(.paste(String(repeating: piece, count: 20)))])
  }

  @Test(
    "ALT-1: in a paste without an end, typed ! become key presses within 2 s")
  func emergencyKeyInAPaste() {
    var queue = queue([(0, paste + "hello")] + (1...9).map { ($0 * 200, "!") })
    // The first presses ended the paste after 1.5 s and count; the others act at once.
    #expect(rest(of: &queue, at: 1_900) == [.event(.paste("hello"))] + keys("!!!!!!!!!"))
  }

  @Test("In an unfinished paste, typed letters and Enter don't act, but Ctrl-C does")
  func typingInAPaste() {
    var queue = queue([
      (0, paste + "hello"), (300, "x"), (600, "y"), (900, "\r"), (1_200, "\u{3}"), (1_500, "c"),
    ])
    #expect(rest(of: &queue, at: 1_800) == [.event(.paste("hello")), .event(.key("ctrl+c"))])
  }

  @Test(
    "An unfinished terminal answer or sequence is dropped after 1 s of silence",
    arguments: ["\u{1B}]11;rgb", "\u{1B}P1+r", "\u{1B}[12;3", "\u{1B}_Gabc", "\u{1B}[M1"])
  func sequenceEndsInSilence(sequence: String) {
    var queue = queue([(0, sequence)])
    #expect(rest(of: &queue, at: 1_000) == [])
    feed("!", at: 1_100, to: &queue)
    #expect(rest(of: &queue) == keys("!"))
  }

  // MARK: Bursts

  @Test("Up to 128 characters that arrive at once count as keys, in order")
  func typing() {
    let text = String(repeating: "abcd", count: 32)
    var queue = queue([(0, text)])
    #expect(rest(of: &queue) == keys(text))
  }

  @Test("A long text that arrives at once without paste markers is one paste, not keys")
  func unbracketedPaste() {
    let text = String(repeating: "rm -rf /\r", count: 1_300)
    var queue = queue([(0, text)])
    #expect(rest(of: &queue) == [.event(.paste(text.replacing("\r", with: "\n")))])
    feed("c", at: 100, to: &queue)
    #expect(rest(of: &queue) == keys("c"))
  }

  @Test("Random bytes produce a limited number of events, and pastes of at most 1 MiB")
  func noise() {
    var random = SystemRandomNumberGenerator()
    var queue = InputQueue(now: start)
    for round in 0..<40 {
      let bytes = (0..<16_384).map { _ in UInt8.random(in: 0...255, using: &random) }
      queue.feed(bytes, at: start + .milliseconds(round))
    }
    queue.settle(at: start + .seconds(3))
    queue.endDrain()
    let events = rest(of: &queue)
    #expect(
      events.count <= InputQueue.burstLimit + InputQueue.otherLimit + 100, "\(events.count)")
    for case .event(.paste(let text)) in events { #expect(text.utf8.count <= 1 << 20) }
  }

  @Test("ALT-1: 3,000 ! that arrive at once count as several key presses, not as a paste")
  func heldKey() {
    var queue = queue([(0, String(repeating: "!", count: 3_000))])
    let events = rest(of: &queue)
    #expect(events.count >= 5 && events.count <= InputQueue.burstLimit)
    #expect(events.allSatisfy { $0 == .event(.key("!")) })
  }

  @Test("Thousands of mouse events at once lose no key")
  func mouse() {
    let storm = String(repeating: "\u{1B}[<0;5;5M\u{1B}[<0;5;5m", count: 1_000)
    var queue = queue([(0, storm + "c" + storm + "!")])
    let keys = rest(of: &queue).filter { if case .event(.key) = $0 { true } else { false } }
    #expect(keys == self.keys("c!"))
  }

  // MARK: Waiting

  @Test("Keys that are held back stay in order, and a key that isn't held back passes them")
  func kept() {
    var queue = queue([(0, "ab!c")])
    let isKept: (Event) -> Bool = { $0 != .key("!") }
    #expect(queue.next(keeping: isKept) == .event(.key("!")))
    #expect(queue.next(keeping: isKept) == nil)
    #expect(rest(of: &queue) == keys("abc"))
  }
}
