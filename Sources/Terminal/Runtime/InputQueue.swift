/// Decodes the terminal's bytes and keeps what hasn't been handled yet, in order and within bounds.
///
/// The queue has no clock; every call says what time it is.
/// - A burst (line noise, or a paste without markers) is more keys at once than anyone types. It
///   becomes one paste, so it can't act as keys, and costs one event. The same key many times is a
///   key that was held, and counts a few times.
/// - A paste or sequence that doesn't end is over after a second of silence, or when what follows
///   arrives like typing. Then the emergency key and Ctrl-C act, even those already pressed.
struct InputQueue {
  typealias Instant = ContinuousClock.Instant

  private var decoder = InputDecoder()
  private var decoded: [DecodedInput] = []
  private var pending: [DecodedInput] = []
  private var keyCount = 0
  private var otherCount = 0
  private var pastedLength = 0
  /// The text of a burst until all input has been read.
  private var burst: String?
  private var lastInput: Instant
  /// The time since when the decoder has held back an ambiguous key.
  private var waitingSince: Instant?
  /// What arrived like typing inside an unfinished sequence.
  private var typed = Typed()

  private struct Typed {
    var since: Instant?
    var count = 0
    var bytes: [UInt8] = []
  }

  /// The number of keys that are handled as such if they arrive at once.
  static let burstLimit = 128
  /// The number of times that a held key counts if it has arrived more often.
  static let heldLimit = 16
  /// The number of mouse events and reports that are kept.
  static let otherLimit = 256
  /// The number of pasted bytes that are kept, enough for several pastes of the maximum size.
  static let pastesLimit = 4 << 20
  /// The maximum length of a burst's text, in bytes.
  static let burstTextLimit = 1 << 16
  /// How long a lone ESC waits for the rest of a sequence.
  static let escapeDelay = Duration.milliseconds(25)
  /// The longest time an ESC is held back while other input keeps arriving.
  static let longestEscapeDelay = Duration.milliseconds(250)
  /// The silence that ends a paste or another sequence without its end.
  static let silence = Duration.seconds(1)
  /// How long input may look like typing inside an unfinished sequence.
  static let typingTime = Duration.milliseconds(1_500)
  /// Terminals send a paste in larger pieces, or without pauses.
  private static let typedPause = Duration.milliseconds(50)
  private static let typedLength = 16

  init(now: Instant) { lastInput = now }

  // MARK: Input

  /// Takes bytes that were read.
  mutating func feed(_ bytes: some Collection<UInt8>, at now: Instant) {
    if decoder.isUnfinished { noteTyping(bytes, at: now) }
    decoder.feed(bytes, into: &decoded)
    if !decoder.isUnfinished { typed = Typed() }
    lastInput = now
    takeDecoded()
  }

  /// Ends a burst: no more input is there to be read.
  mutating func endDrain() {
    guard let text = burst else { return }
    burst = nil
    if !text.isEmpty { take(.event(.paste(text.strippingControls(keepingLines: true)))) }
  }

  /// Decides what only a pause can decide.
  mutating func settle(at now: Instant) {
    if let end = endOfWaiting, now >= end { decoder.timeout(into: &decoded) }
    waitingSince = decoder.isWaiting ? waitingSince ?? now : nil
    if let end = endOfSequence, now >= end {
      decoder.abandon(droppingLast: typed.count, into: &decoded)
      // Taken out before `typed` is replaced: as a copy, Swift 6.3's optimizer frees the bytes before
      // it retains them (decision 105).
      var keys: [UInt8] = []
      swap(&keys, &typed.bytes)
      typed = Typed()
      decoder.feed(keys, into: &decoded)
    }
    takeDecoded()
  }

  /// When ``settle(at:)`` must be called if no input arrives.
  var deadline: Instant? {
    [endOfWaiting, endOfSequence].compactMap(\.self).min()
  }

  private var endOfWaiting: Instant? {
    guard decoder.isWaiting, let waitingSince else { return nil }
    return min(lastInput + Self.escapeDelay, waitingSince + Self.longestEscapeDelay)
  }

  private var endOfSequence: Instant? {
    guard decoder.isUnfinished else { return nil }
    let silent = lastInput + Self.silence
    return typed.since.map { min($0 + Self.typingTime, silent) } ?? silent
  }

  private mutating func noteTyping(_ bytes: some Collection<UInt8>, at now: Instant) {
    guard bytes.count <= Self.typedLength else {
      typed = Typed()
      return
    }
    guard typed.since != nil || lastInput + Self.typedPause <= now else { return }
    typed.since = typed.since ?? now
    typed.count += bytes.count
    // Only keys that must never be lost are taken out of what may still be a paste.
    let kept = bytes.filter { $0 == UInt8(ascii: "!") || $0 == 0x03 }
    typed.bytes += kept.prefix(Self.heldLimit - typed.bytes.count)
  }

  // MARK: Bounds

  private mutating func takeDecoded() {
    for input in decoded { take(input) }
    decoded.removeAll(keepingCapacity: decoded.capacity <= 1024)
  }

  private mutating func take(_ input: DecodedInput) {
    if let motion = input.motion, motion == pending.last?.motion {
      pending[pending.count - 1] = input
      return
    }
    switch input {
    case .event(.key(let press)):
      guard burst == nil else { return addToBurst(press) }
      pending.append(input)
      keyCount += 1
      if keyCount > Self.burstLimit { condense() }
    case .event(.paste(let text)):
      guard pastedLength + text.utf8.count <= Self.pastesLimit else { return }
      pastedLength += text.utf8.count
      pending.append(input)
    case .event, .answer:
      guard otherCount < Self.otherLimit else { return }
      otherCount += 1
      pending.append(input)
    }
  }

  /// Makes a held key or a burst of the keys that are waiting.
  private mutating func condense() {
    let presses = pending.compactMap(\.press)
    if Set(presses).count == 1, let press = presses.first {
      pending.removeAll { $0.press != nil }
      pending += Array(repeating: .event(.key(press)), count: Self.heldLimit)
      keyCount = Self.heldLimit
      return
    }
    pending.removeAll { $0.press != nil }
    keyCount = 0
    burst = ""
    for press in presses { addToBurst(press) }
  }

  private mutating func addToBurst(_ press: KeyPress) {
    // No copy is held here, which would make each character cost a copy of the text.
    guard let length = burst?.utf8.count, length < Self.burstTextLimit else { return }
    switch press.key {
    case .enter: burst?.append("\n")
    case .tab: burst?.append("\t")
    default: if let character = press.text { burst?.append(character) }
    }
  }

  // MARK: Output

  /// Removes and returns the oldest input that isn't to be kept for later.
  mutating func next(keeping isKept: (Event) -> Bool = { _ in false }) -> DecodedInput? {
    let index = pending.firstIndex {
      if case .event(let event) = $0 { !isKept(event) } else { true }
    }
    guard let index else { return nil }
    let input = pending.remove(at: index)
    switch input {
    case .event(.key): keyCount -= 1
    case .event(.paste(let text)): pastedLength -= text.utf8.count
    case .event, .answer: otherCount -= 1
    }
    return input
  }

  var isEmpty: Bool { pending.isEmpty }

  /// Removes the Enters before every other key that waits.
  mutating func dropLeadingEnters() {
    while let index = pending.firstIndex(where: { $0.press != nil }),
      pending[index].press?.key == .enter
    {
      pending.remove(at: index)
      keyCount -= 1
    }
  }

  /// Expects mouse reports in cells until the terminal answers otherwise.
  mutating func expectCells() { decoder.expectCells() }

  /// Records something the terminal would otherwise have reported itself.
  mutating func update(with answer: TerminalAnswer) { decoder.update(with: answer) }
}

extension DecodedInput {
  fileprivate var press: KeyPress? {
    if case .event(.key(let press)) = self { press } else { nil }
  }

  /// The mouse movement without its position, which the next one supersedes; `nil` for everything
  /// else.
  fileprivate var motion: MouseEvent? {
    guard case .event(.mouse(var mouse)) = self else { return nil }
    switch mouse.kind {
    case .move, .drag:
      mouse.position = .zero
      mouse.rowFraction = 0
      return mouse
    case .press, .release, .wheelUp, .wheelDown, .wheelLeft, .wheelRight:
      return nil
    }
  }
}
