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

  @Test("A paste without its end is over after a second of silence, and keys act again")
  func pasteEndsInSilence() {
    var queue = queue([(0, paste + "hello")])
    #expect(queue.deadline == start + .seconds(1))
    #expect(rest(of: &queue, at: 999) == [])
    #expect(rest(of: &queue, at: 1_000) == [.event(.paste("hello"))])
    feed("!!!!!\u{3}", at: 1_100, to: &queue)
    #expect(rest(of: &queue) == keys("!!!!!") + [.event(.key("ctrl+c"))])
  }

  @Test("A paste that goes on in pieces isn't cut off, however long it takes")
  func longPaste() {
    let piece = String(repeating: "text ", count: 10)
    var queue = queue(
      [(0, paste)] + (1...20).map { ($0 * 900, piece) } + [(18_500, "\u{1B}[201~")])
    #expect(rest(of: &queue) == [.event(.paste(String(repeating: piece, count: 20)))])
  }

  @Test(
    "ALT-1: the emergency key acts within 2 s in a paste that never ends, though it never rests")
  func emergencyKeyInAPaste() {
    var queue = queue([(0, paste + "hello")] + (1...9).map { ($0 * 200, "!") })
    // The first presses ended the paste after 1.5 s and count; the others act at once.
    #expect(rest(of: &queue, at: 1_900) == [.event(.paste("hello"))] + keys("!!!!!!!!!"))
  }

  @Test("Of what looks typed inside a paste, only the emergency key and Ctrl-C become keys")
  func typingInAPaste() {
    var queue = queue([
      (0, paste + "hello"), (300, "x"), (600, "y"), (900, "\r"), (1_200, "\u{3}"), (1_500, "c"),
    ])
    #expect(rest(of: &queue, at: 1_800) == [.event(.paste("hello")), .event(.key("ctrl+c"))])
  }

  @Test(
    "An answer or a sequence that doesn't end is dropped after a second of silence",
    arguments: ["\u{1B}]11;rgb", "\u{1B}P1+r", "\u{1B}[12;3", "\u{1B}_Gabc", "\u{1B}[M1"])
  func sequenceEndsInSilence(sequence: String) {
    var queue = queue([(0, sequence)])
    #expect(rest(of: &queue, at: 1_000) == [])
    feed("!", at: 1_100, to: &queue)
    #expect(rest(of: &queue) == keys("!"))
  }

  // MARK: Bursts

  @Test("Up to 128 keys at once are keys, in order")
  func typing() {
    let text = String(repeating: "abcd", count: 32)
    var queue = queue([(0, text)])
    #expect(rest(of: &queue) == keys(text))
  }

  @Test("A paste without markers is one paste: none of it acts as a key")
  func unbracketedPaste() {
    let text = String(repeating: "rm -rf /\r", count: 1_300)
    var queue = queue([(0, text)])
    #expect(rest(of: &queue) == [.event(.paste(text.replacing("\r", with: "\n")))])
    feed("c", at: 100, to: &queue)
    #expect(rest(of: &queue) == keys("c"))
  }

  @Test("Line noise costs a bounded number of events and bytes, whatever it is")
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

  @Test("ALT-1: a key held while the program couldn't read counts several times, not as a paste")
  func heldKey() {
    var queue = queue([(0, String(repeating: "!", count: 3_000))])
    let events = rest(of: &queue)
    #expect(events.count >= 5 && events.count <= InputQueue.burstLimit)
    #expect(events.allSatisfy { $0 == .event(.key("!")) })
  }

  @Test("A storm of the mouse loses no key")
  func mouse() {
    let storm = String(repeating: "\u{1B}[<0;5;5M\u{1B}[<0;5;5m", count: 1_000)
    var queue = queue([(0, storm + "c" + storm + "!")])
    let keys = rest(of: &queue).filter { if case .event(.key) = $0 { true } else { false } }
    #expect(keys == self.keys("c!"))
  }

  // MARK: Waiting

  @Test("Keys that are kept stay in order, and others pass them")
  func kept() {
    var queue = queue([(0, "ab!c")])
    let isKept: (Event) -> Bool = { $0 != .key("!") }
    #expect(queue.next(keeping: isKept) == .event(.key("!")))
    #expect(queue.next(keeping: isKept) == nil)
    #expect(rest(of: &queue) == keys("abc"))
  }
}
