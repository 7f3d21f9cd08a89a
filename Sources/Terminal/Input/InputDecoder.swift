import Glibc

/// Decodes the terminal's output into events, one byte at a time.
///
/// The state machine follows the published model of the VT500 parser, applied to the sequences that
/// terminals send rather than those they receive. For any input, split in any way:
/// - it never crashes, and it keeps a bounded amount of input;
/// - unknown and overlong sequences are swallowed to their end and never replayed as keys;
/// - a byte that can't continue a UTF-8 sequence ends it as U+FFFD and is decoded again;
/// - CAN and SUB abort a sequence, ESC starts a new one.
///
/// The decoder has no clock. While `isWaiting`, the bytes so far are ambiguous: either a key
/// (Escape, or Alt with a character that introduces sequences) or the start of a sequence. The
/// owner calls `timeout()` when no byte has arrived for 25 ms.
package struct InputDecoder {
  enum State {
    /// Between sequences, or inside a UTF-8 sequence.
    case ground
    /// After ESC.
    case escape
    /// After `ESC [`.
    case control
    /// After `ESC [ [`, which the Linux console sends for F1 to F5.
    case linuxFunction
    /// After `ESC [ M`, the legacy mouse report with three data bytes.
    case oldMouse
    /// After `ESC O`.
    case ss3
    /// In an OSC, DCS, APC, PM or SOS string.
    case string
    /// After ESC in a string, which `\` would end.
    case stringEscape
    /// In a bracketed paste, or in the input held back after it.
    case paste
  }

  private(set) var state = State.ground
  private var sequence = ControlSequence()
  private var utf8 = UTF8Decoder()
  private var paste = PasteCollector()
  /// Whether ESC immediately preceded the UTF-8 sequence, so the key was pressed with Alt.
  private var isAlt = false
  /// Whether two ESC bytes arrived: either the sequence that follows is a key with Alt (rxvt,
  /// PuTTY), or the first was the Escape key.
  private var isEscapedTwice = false
  /// The byte that introduced the string: `]`, `P`, `_`, `^` or `X`.
  private var stringKind: UInt8 = 0
  private var string: [UInt8] = []
  private var mouseBytesMissing = 0
  private var mouseUnit = MouseUnit()

  /// The maximum length of a string. Answers are far shorter; longer strings are ignored.
  private static let stringKept = 1024

  package init() {}

  /// Whether only a pause can disambiguate the last bytes.
  package var isWaiting: Bool {
    switch state {
    case .escape, .stringEscape: true
    case .control, .ss3: sequence.length == 0
    case .string: string.isEmpty
    case .paste: paste.isInTail
    case .ground, .linuxFunction, .oldMouse: false
    }
  }

  /// Whether a paste or a sequence has begun and not ended. Its owner calls `abandon()` when it
  /// can't go on any more.
  package var isUnfinished: Bool {
    switch state {
    case .paste: !paste.isInTail
    case .control, .ss3: sequence.length > 0
    case .string: !string.isEmpty
    case .linuxFunction, .oldMouse: true
    case .ground, .escape, .stringEscape: false
    }
  }

  /// Ends a paste or a sequence that will not end by itself. The text that was pasted is kept; a
  /// sequence is dropped.
  /// - Parameter count: The number of the last bytes that aren't part of the paste.
  package mutating func abandon(droppingLast count: Int, into output: inout [DecodedInput]) {
    guard isUnfinished else { return }
    if state == .paste {
      let text = paste.abandon(droppingLast: count)
      if !text.isEmpty { output.append(.event(.paste(text))) }
    }
    state = .ground
    isEscapedTwice = false
  }

  /// Decodes bytes and appends the results.
  package mutating func feed(_ bytes: some Collection<UInt8>, into output: inout [DecodedInput]) {
    var index = bytes.startIndex
    while index != bytes.endIndex {
      if state == .paste, !paste.isInMarker {
        // A paste can be megabytes long, so text that can't contain a marker is appended at once.
        let end = bytes.index(index, offsetBy: bytes[index...].countBeforeEscape)
        paste.append(text: bytes[index..<end])
        index = end
        if index == bytes.endIndex { return }
      }
      feed(bytes[index], into: &output)
      bytes.formIndex(after: &index)
    }
  }

  /// Resolves the ambiguity after a pause in the input.
  package mutating func timeout(into output: inout [DecodedInput]) {
    guard isWaiting else { return }
    let waited = state
    state = .ground
    switch waited {
    case .escape:
      flushFirstEscape(into: &output)
      output.append(.event(.key(KeyPress(.escape))))
    case .control: pressIntroducer(UInt8(ascii: "["), into: &output)
    case .ss3: pressIntroducer(UInt8(ascii: "O"), into: &output)
    case .string: pressIntroducer(stringKind, into: &output)
    case .paste: feed(paste.takeTail(), into: &output)
    // An unfinished string is dropped.
    default: break
    }
  }

  /// Treats the introducer of a sequence as a key with Alt.
  private mutating func pressIntroducer(_ byte: UInt8, into output: inout [DecodedInput]) {
    flushFirstEscape(into: &output)
    output.append(.event(.key(KeyPress(byte: byte, alt: true))))
  }

  /// Emits the first of two ESC bytes as the Escape key.
  private mutating func flushFirstEscape(into output: inout [DecodedInput]) {
    guard isEscapedTwice else { return }
    isEscapedTwice = false
    output.append(.event(.key(KeyPress(.escape))))
  }

  /// Expects mouse reports in cells until the terminal answers otherwise.
  mutating func expectCells() {
    mouseUnit.isPixels = false
  }

  /// Records something the terminal would otherwise have reported itself.
  mutating func update(with answer: TerminalAnswer) {
    mouseUnit.update(with: answer)
  }

  /// Decodes one byte and appends the results.
  mutating func feed(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch state {
    case .ground:
      ground(byte, into: &output)
    case .escape:
      escape(byte, into: &output)
    case .paste:
      if case .paste(let text) = paste.append(byte) { output.append(.event(.paste(text))) }
    case .oldMouse:
      mouseBytesMissing -= 1
      if mouseBytesMissing == 0 { state = .ground }
    case .control, .linuxFunction, .ss3, .string, .stringEscape:
      switch byte {
      case 0x18, 0x1A:
        flushFirstEscape(into: &output)
        state = .ground
      case 0x1B where state != .string:
        flushFirstEscape(into: &output)
        state = .escape
      default:
        inSequence(byte, into: &output)
      }
    }
  }

  // MARK: Keys

  private mutating func ground(_ byte: UInt8, into output: inout [DecodedInput]) {
    if !utf8.isPending {
      if byte == 0x1B {
        state = .escape
        return
      }
      if byte < 0x80 {
        output.append(.event(.key(KeyPress(byte: byte, alt: false))))
        return
      }
      isAlt = false
    }
    character(byte, into: &output)
  }

  /// Decodes a byte of a UTF-8 sequence.
  private mutating func character(_ byte: UInt8, into output: inout [DecodedInput]) {
    let wasPending = utf8.isPending
    switch utf8.append(byte) {
    case .incomplete:
      break
    case .scalar(let scalar):
      // C1 controls aren't keys.
      guard scalar.value >= 0xA0 else { return }
      output.append(.event(.key(.character(Character(scalar), isAlt ? .alt : []))))
    case .invalid:
      output.append(.event(.key(.character(Character(.replacement), isAlt ? .alt : []))))
      if wasPending { ground(byte, into: &output) }
    }
  }

  private mutating func escape(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch byte {
    case 0x5B:  // [
      sequence.reset()
      state = .control
      return
    case 0x4F:  // O
      sequence.reset()
      state = .ss3
      return
    case 0x1B:
      flushFirstEscape(into: &output)
      isEscapedTwice = true
      return
    default:
      flushFirstEscape(into: &output)
    }
    state = .ground
    switch byte {
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58:  // ] P _ ^ X
      stringKind = byte
      string.removeAll(keepingCapacity: true)
      state = .string
    case 0x18, 0x1A:
      break
    case 0x80...0xFF:
      isAlt = true
      character(byte, into: &output)
    default:
      output.append(.event(.key(KeyPress(byte: byte, alt: true))))
    }
  }

  // MARK: Sequences

  private mutating func inSequence(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch state {
    case .control:
      control(byte, into: &output)
    case .linuxFunction:
      state = .ground
      if (0x41...0x45).contains(byte) {
        output.append(.event(.key(KeyPress(.function(Int(byte) - 0x40)))))
      }
    case .ss3:
      ss3(byte, into: &output)
    case .string:
      inString(byte, into: &output)
    case .stringEscape:
      state = .ground
      if byte == 0x5C {
        finishString(into: &output)
      } else {
        escape(byte, into: &output)
      }
    default:
      state = .ground
    }
  }

  private mutating func control(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch byte {
    case 0x00..<0x20, 0x7F:
      break
    case 0x5B where sequence.length == 0:
      flushFirstEscape(into: &output)
      state = .linuxFunction
    case 0x4D where sequence.length == 0:
      flushFirstEscape(into: &output)
      mouseBytesMissing = 3
      state = .oldMouse
    case 0x20...0x3F where !sequence.isComplete(by: byte):
      sequence.append(byte)
    case 0x20...0x7E:
      state = .ground
      let input = sequence.meaning(final: byte)
      if case .event(.key(var press)) = input, isEscapedTwice {
        isEscapedTwice = false
        press.modifiers.insert(.alt)
        output.append(.event(.key(press)))
        return
      }
      flushFirstEscape(into: &output)
      if sequence.isPasteStart(final: byte) {
        paste.begin()
        state = .paste
      } else if let input {
        append(input, to: &output)
      }
    default:
      // Not part of any control sequence: Alt-[ was pressed, then a letter.
      pressIntroducer(UInt8(ascii: "["), into: &output)
      state = .ground
      ground(byte, into: &output)
    }
  }

  private mutating func append(_ input: DecodedInput, to output: inout [DecodedInput]) {
    switch input {
    case .event(.mouse(let event)):
      if let event = mouseUnit.inCells(event) { output.append(.event(.mouse(event))) }
    case .answer(let answer):
      mouseUnit.update(with: answer)
      output.append(input)
    case .event:
      output.append(input)
    }
  }

  private mutating func ss3(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch byte {
    case 0x00..<0x20, 0x7F:
      break
    case 0x30...0x3B:
      sequence.append(byte)
    case 0x80...0xFF:
      pressIntroducer(UInt8(ascii: "O"), into: &output)
      state = .ground
      ground(byte, into: &output)
    default:
      state = .ground
      guard var press = sequence.applicationKey(final: byte) else {
        return flushFirstEscape(into: &output)
      }
      if isEscapedTwice { press.modifiers.insert(.alt) }
      isEscapedTwice = false
      output.append(.event(.key(press)))
    }
  }

  // MARK: Strings

  private mutating func inString(_ byte: UInt8, into output: inout [DecodedInput]) {
    switch byte {
    case 0x1B:
      state = .stringEscape
    case 0x07 where stringKind == 0x5D:
      state = .ground
      finishString(into: &output)
    default:
      if string.count < Self.stringKept { string.append(byte) }
    }
  }

  private mutating func finishString(into output: inout [DecodedInput]) {
    guard string.count < Self.stringKept else { return }
    let text = String(decoding: string, as: UTF8.self)
    if let answer = TerminalAnswer(string: text, kind: stringKind) {
      output.append(.answer(answer))
    }
  }
}

extension Collection<UInt8> {
  /// The number of bytes before the first ESC, or of all bytes if there is none.
  fileprivate var countBeforeEscape: Int {
    withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress, let escape = memchr(start, 0x1B, bytes.count) else {
        return bytes.count
      }
      return UnsafeRawPointer(escape) - UnsafeRawPointer(start)
    } ?? prefix { $0 != 0x1B }.count
  }
}

/// The result of decoding the terminal's bytes.
package enum DecodedInput: Equatable, Sendable {
  /// An event for the program's views.
  case event(Event)
  /// The terminal's answer to a query.
  case answer(TerminalAnswer)
}
