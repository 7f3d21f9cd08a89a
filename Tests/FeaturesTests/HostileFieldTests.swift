import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import TerminalTesting
import Testing

@testable import Features
@testable import Terminal

/// A text that someone might paste into a field, by accident or on purpose.
struct HostileText: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var text: String

  static let all: [HostileText] = [
    .init(testDescription: "nothing", text: ""),
    .init(testDescription: "spaces", text: "   \u{A0}\u{2003}  "),
    .init(testDescription: "10,000 characters", text: String(repeating: "x", count: 10_000)),
    .init(
      testDescription: "a mountain of marks", text: "e" + String(repeating: "\u{301}", count: 2_000)
    ),
    .init(
      testDescription: "escape sequences",
      text: "Ada\u{1B}[2J\u{1B}]0;owned\u{7}\u{1B}P1$r\u{1B}\\\u{9B}31m\u{1B}[201~!!!!!"),
    .init(testDescription: "NUL and other controls", text: "A\u{0}d\u{1}a\u{8}\u{7F}\u{85}\r\n\t"),
    .init(
      testDescription: "bidi controls",
      text: "\u{202E}evil\u{202C} \u{2066}x\u{2069}\u{200F}\u{061C}\u{202A}"),
    .init(testDescription: "lone marks", text: "\u{301}\u{302} \u{20DD}"),
    .init(
      testDescription: "lost bytes",
      text: String(decoding: [0xC3, 0x28, 0xFF, 0xF0, 0x9F], as: UTF8.self)),
    .init(testDescription: "emoji", text: "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇸🇪"),
    .init(
      testDescription: "separators and noncharacters",
      text: "a\u{2028}b\u{2029}c\u{FFFE}\u{E000}\u{10FFFF}"),
    .init(testDescription: "numbers beyond all bounds", text: "999999999999999999999999d -1h 0x10"),
  ]
}

extension Unicode.Scalar {
  /// Whether a terminal could interpret it as more than a visible character.
  fileprivate var isRaw: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: return true
    default: break
    }
    switch value {
    // Bidirectional marks, embeddings, overrides and isolates.
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: return true
    default: return false
    }
  }
}

extension HostileText {
  /// All texts that fit into any field, joined, and texts that are too long.
  static let pastes: [HostileText] = [
    .init(
      testDescription: "everything that is short",
      text: all.map(\.text).filter { $0.utf8.count < 1_000 }.joined(separator: "|")),
    .init(
      testDescription: "everything that is long",
      text: all.map(\.text).filter { $0.utf8.count >= 1_000 }.joined()),
  ]
}

/// Pasting hostile text into any field of any screen does no harm.
@MainActor @Suite struct HostileFieldTests {
  private static let size = Size(columns: 80, rows: 24)

  /// The screens with a focused field, recognised by the cursor.
  nonisolated static let screens: [Screen] = MainActor.assumeIsolated {
    Screen.all.filter { screen in
      let store = Store(initialState: screen.state()) { AppFeature() }
      return ViewHost().frame(AppView(store: store), size: size).cursor != nil
    }
  }

  /// A store whose alert client accepts every change, since an alert's message is stored with each
  /// key.
  private static func store(_ screen: Screen) -> StoreOf<AppFeature> {
    Store(initialState: screen.state()) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      $0.attentionClient.call = { _, _, _ in }
      $0.fileClient.completions = { _ in [] }
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        .armed(EmergencyFeatureTests.armed(message, delay, id))
      }
    }
  }

  private func expectClean(_ frame: Frame, _ what: String) {
    // One expectation per frame, since a frame has thousands of cells.
    let raw = frame.cells.filter {
      $0.text.utf8.count > 256 || $0.text.unicodeScalars.contains(where: \.isRaw)
    }
    #expect(raw.map { Array($0.text.unicodeScalars.prefix(4)) } == [], "\(what)")
  }

  @Test(
    "Text pasted into any field sends no raw control or bidi characters to the terminal",
    arguments: HostileText.pastes)
  func fields(_ hostile: HostileText) {
    for screen in Self.screens {
      let store = Self.store(screen)
      let host = ViewHost()
      var frame = host.frame(AppView(store: store), size: Self.size)
      // Tab visits every field; leaving one shows its errors.
      for _ in 0..<6 where frame.cursor != nil {
        host.dispatch(.paste(hostile.text))
        host.dispatch(.key("tab"))
        frame = host.frame(AppView(store: store), size: Self.size)
        expectClean(frame, screen.name)
      }
      let bytes = ViewHost().render(AppView(store: store), size: Self.size)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("\u{1B}]0;owned") && !text.contains("\u{1B}[2J\u{1B}]"))
      // The only control characters are those that move the cursor or set colours.
      let controls = text.unicodeScalars.filter {
        $0.isRaw && !"\u{1B}\r\n\u{8}".unicodeScalars.contains($0)
      }
      #expect(Set(controls) == [], "\(screen.name)")
    }
  }

  @Test("Text typed into a field is still there after Tab and Shift-Tab")
  func keeping() {
    var kept = 0
    // Tab in the note continues to the next step.
    for screen in Self.screens where screen.name != "onboarding-note" {
      let store = Self.store(screen)
      let host = ViewHost()
      func text() -> String { host.frame(AppView(store: store), size: Self.size).text }
      _ = text()
      host.dispatch(.paste("Qx7"))
      guard text().contains("Qx7") else { continue }
      host.dispatch(.key("tab"))
      _ = text()
      host.dispatch(.key("shift+tab"))
      #expect(text().contains("Qx7"), "\(screen.name)")
      kept += 1
    }
    #expect(kept > 15)
  }

  @Test("The tests of pasted text cover every kind of screen with a text field")
  func kinds() {
    let names = Set(Self.screens.map(\.name))
    #expect(
      names.isSuperset(of: [
        "onboarding-person", "onboarding-note", "onboarding-interval", "onboarding-responder",
        "contact-form", "contact-declining", "profile-edit", "responders-filter",
        "alerts-filtered", "alert-confirmation", "emergency-message", "code-saving", "code-entry",
        "security-password", "security-gate", "security-deletion", "sign-in", "sign-up", "gate",
        "documents-add", "interval-other", "pause-other", "picture", "reply",
        "standby", "password-new",
      ]), "\(names.sorted())")
  }
}

/// Every rule for typed text either throws an error with a text or returns a clean value.
struct HostileValueTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Applies the rule to a text.
    var read: @Sendable (String) throws(ValidationError) -> String?
  }

  static let rules: [Rule] = [
    Rule(testDescription: "name") { (text) throws(ValidationError) in try ProfileRules.name(text) },
    Rule(testDescription: "e-mail") { (text) throws(ValidationError) in try ProfileRules.email(text)
    },
    Rule(testDescription: "phone") { (text) throws(ValidationError) in try ProfileRules.phone(text)
    },
    Rule(testDescription: "note") { (text) throws(ValidationError) in try ProfileRules.note(text) },
    Rule(testDescription: "message") { (text) throws(ValidationError) in
      try ProfileRules.alertMessage(text)
    },
    Rule(testDescription: "shortened message") { (text) throws(ValidationError) in
      ProfileRules.shortenedAlertMessage(text)
    },
    Rule(testDescription: "interval") { (text) throws(ValidationError) in
      try CheckInInterval(parsing: text).displayText
    },
    Rule(testDescription: "reminders") { (text) throws(ValidationError) in
      try EscalationRules.reminders(parsing: text, interval: .standard).map(\.exactDescription)
        .joined()
    },
    Rule(testDescription: "grace") { (text) throws(ValidationError) in
      try EscalationRules.grace(TimeSpan(parsing: text)).exactDescription
    },
    Rule(testDescription: "code") { (text) throws(ValidationError) in
      try AccountCode(parsing: text).uuid.uuidString
    },
    Rule(testDescription: "link") { (text) throws(ValidationError) in
      DeepLink(text).map { "\($0)" }
    },
    Rule(testDescription: "responder") { (text) throws(ValidationError) in
      try ContactDraft(parsingResponder: text + " <ada@example.org>").name
    },
  ]

  @Test(
    "Hostile text is either refused with an explanation or cleaned of control characters",
    arguments: rules, HostileText.all)
  func rule(_ rule: Rule, hostile: HostileText) {
    do throws(ValidationError) {
      let value = try rule.read(hostile.text) ?? ""
      #expect(value.utf8.count <= 200_000)
      let controls = value.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
      }
      #expect(controls.isEmpty, "\(Array(controls))")
    } catch {
      let words = error.errorDescription + (error.recoverySuggestion ?? "")
      #expect(words.count > 10 && words.utf8.count < 1_000)
      let raw = words.unicodeScalars.filter(\.isRaw)
      #expect(raw.isEmpty, "\(words.debugDescription)")
    }
  }

  @Test(
    "A password field drops control characters, allows 256 characters and is never printed",
    arguments: HostileText.all)
  func secrets(_ hostile: HostileText) {
    var field = TextInput(limit: 256, isSecure: true)
    field.apply(.insert(hostile.text))
    #expect(!field.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(field.text.count <= 256)
    for isRefused in [
      (try? SecretRules.password(field.text)) == nil,
      (try? SecretRules.passphrase(field.text)) == nil,
    ] where field.text.count < 4 {
      #expect(isRefused)
    }
    guard field.text.count > 3 else { return }
    #expect(!"\(field)".contains(field.text))
  }
}
