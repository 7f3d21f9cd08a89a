import Domain
import Testing

@Suite struct ProfileRulesTests {
  @Test(
    "ONB-2: a name in any script is accepted, without spaces around it",
    arguments: [
      "Ada Lovelace", "Li", "Jean-Luc O’Neill", "Dr. Østergård", "王小明", "महात्मा गांधी",
      "אבגד הוז", "محمد علي", "Nguyễn Thị Minh Khai", "e\u{301}tienne b",
    ])
  func nameAccepted(text: String) throws {
    #expect(try ProfileRules.name("  \(text)\t") == text)
  }

  @Test("ONB-2: a name has 1 to 50 characters after trimming")
  func nameLength() throws {
    #expect(throws: ValidationError.nameLength(0)) { try ProfileRules.name("   ") }
    #expect(try ProfileRules.name(" 李 ") == "李")
    #expect(try ProfileRules.name("Ａｎｎａ\u{3000}Ｍ\u{3000}") == "Ａｎｎａ Ｍ")
    #expect(try ProfileRules.name(String(repeating: "a", count: 50)).count == 50)
    #expect(throws: ValidationError.nameLength(51)) {
      try ProfileRules.name(String(repeating: "a", count: 51))
    }
    #expect(throws: ValidationError.nameLength(10_000)) {
      try ProfileRules.name(String(repeating: "a", count: 10_000))
    }
  }

  @Test("An e-mail domain without a dot causes a question; an address with an accent is refused")
  func doubtfulAddress() throws {
    #expect(
      ProfileRules.doubt(aboutEmail: "ben@gmailcom")
        == "“gmailcom” has no dot. Is ben@gmailcom right?")
    for address in ["ben@gmail.com", "ben@localhost", "ben"] {
      #expect(ProfileRules.doubt(aboutEmail: address) == nil)
    }
    #expect(throws: ValidationError.emailLetter("ä")) { try ProfileRules.email("änna@exämple.org") }
    #expect(throws: ValidationError.email) { try ProfileRules.email("anna😀@example.org") }
  }

  @Test(
    "ONB-2: a name can contain digits, brackets, & / + and emoji",
    arguments: [
      "Mum (mobile)", "Neighbour 12", "Ann & Bo", "Dr. A. Smith, GP", "O'Neill-Ñandú", "24/7 Nurse",
      "R2D2", "Bo + Cem", "李 2", "😀 Ada", "Ada 👩‍👩‍👧", "Bo 👩🏽‍⚕️", "Ty 🇸🇪", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Ewan", "Room 4️⃣",
      "Nan ❤️", "१२ घर", "علی‌رضا", "葛󠄀城",
    ])
  func nameWithSigns(text: String) throws {
    #expect(try ProfileRules.name(text) == text)
  }

  @Test("ONB-2: full-width brackets and special spaces in a name become plain ones")
  func wideSigns() throws {
    #expect(try ProfileRules.name("母（携帯）") == "母(携帯)")
    #expect(try ProfileRules.name("Ada\u{A0}\u{202F}Lovelace") == "Ada  Lovelace")
  }

  @Test(
    "ONB-2: a control, format or other forbidden character in a name is refused and named",
    arguments: [
      ("Ada\u{1B}[31m", "U+1B"), ("Ada\u{202E}x", "U+202E"), ("a@b", "@"), ("Ada <x>", "<"),
      ("Ada\nLove", "U+A"), ("Ada\u{7F}", "U+7F"), ("Ada\u{9B}2J", "U+9B"), ("Ada\tx", "U+9"),
      ("Ada \u{2B}\u{200D}x", "+\u{200D}"), ("Ada\u{2066}", "U+2066"), ("Ada\u{AD}x", "U+AD"),
      ("Ada\u{FEFF}", "U+FEFF"), ("Ada ©", "©"), ("Ada \u{1F3F4}\u{E0061}\u{E007F}", "🏴"),
      ("علی\u{200C}", "U+200C"), ("علی\u{200C} رضا", "U+200C"), ("Ada\u{3164}", "\u{3164}"),
    ])
  func nameCharacter(text: String, named: String) {
    let error = #expect(throws: ValidationError.self) { try ProfileRules.name(text) }
    guard case .nameCharacter(let character)? = error else {
      return #expect(error == .nameCharacter(named))
    }
    #expect(character.unicodeScalars.first == named.unicodeScalars.first)
  }

  @Test("ONB-2: a name has a letter or a digit, and at most 200 bytes")
  func nameNeeds() throws {
    for text in ["()", "😀", "- . -", "&"] {
      #expect(throws: ValidationError.nameLetter) { try ProfileRules.name(text) }
    }
    #expect(try ProfileRules.name(String(repeating: "李", count: 50)).utf8.count == 150)
    #expect(throws: ValidationError.nameBytes) {
      try ProfileRules.name("A" + String(repeating: "👩‍👩‍👧", count: 12))
    }
  }

  @Test("ONB-2: a phone number that is empty or only invisible characters counts as none")
  func noPhone() throws {
    #expect(try ProfileRules.phone("  ") == nil)
    #expect(try ProfileRules.phone("\u{200B}\u{2066} ") == nil)
  }

  @Test(
    "ONB-2: a doubtful phone number stored by an older version is kept, without a wrong zero")
  func storedPhone() throws {
    #expect(try ProfileRules.storedPhone("+490301234567") == "+49301234567")
    #expect(try ProfileRules.storedPhone("+34091123456") == "+34091123456")
    #expect(try ProfileRules.storedPhone(nil) == nil)
    #expect(throws: ValidationError.phone) { try ProfileRules.storedPhone("+12") }
  }

  @Test("ONB-2: a note has up to 2,000 characters, keeps its lines and loses control characters")
  func note() throws {
    #expect(try ProfileRules.note(" one\n\u{1B}[2Jtwo\t\u{7} ") == "one\n[2Jtwo")
    #expect(try ProfileRules.note(String(repeating: "ä", count: 2_000)).count == 2_000)
    #expect(throws: ValidationError.noteLength(2_001)) {
      try ProfileRules.note(String(repeating: "ä", count: 2_001))
    }
  }

  @Test(arguments: ["a@b", "grace.hopper+x@navy.example.org", " a@b.c "])
  func emailAccepted(text: String) throws {
    #expect(try ProfileRules.email(text) == text.trimmingWhitespace())
  }

  @Test(
    "CHN-1: an e-mail address that a mail server would not accept is refused",
    arguments: [
      "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b..c", ".a@b", "a.@b", "a..b@c", "a@-b",
      "a@b\r\nRCPT TO:<x@y>", "<a@b>", "a@b_c", "\"a\"@b",
    ])
  func emailRefused(text: String) {
    #expect(throws: ValidationError.email) { try ProfileRules.email(text) }
  }

  @Test("ONB-2: an error quotes joined emoji and letters whole, and replaces a lone joiner")
  func joined() {
    #expect(throws: ValidationError.nameCharacter("👩‍👩‍©")) { try ProfileRules.name("Ada 👩‍👩‍©") }
    #expect(throws: ValidationError.duration("علی\u{200C}رضا")) {
      try TimeSpan(parsing: "علی\u{200C}رضا")
    }
    #expect(throws: ValidationError.duration("\u{FFFD}m")) { try TimeSpan(parsing: "\u{200D}m") }
  }

  @Test("CON-3: a responder is read from Name <e-mail>, and other forms are refused")
  func responder() throws {
    let draft = try ContactDraft(parsingResponder: " Grace Hopper <grace@navy.example> ")
    #expect(draft.name == "Grace Hopper")
    #expect(draft.email == "grace@navy.example")
    #expect(draft.roles == .responder)
    #expect(throws: ValidationError.responderForm) {
      try ContactDraft(parsingResponder: "grace@navy.example")
    }
    for text in ["Grace", "Grace <>", "<grace@navy.example>", "Grace grace@navy.example"] {
      #expect(throws: ValidationError.self) { try ContactDraft(parsingResponder: text) }
    }
  }

  @Test("CON-3: a responder is read from Name <channel, channel>, with any kind of channel")
  func responderChannels() throws {
    let draft = try ContactDraft(
      parsingResponder: "Mum (mobile) <ntfy:ls-0123456789abcdef, mum@example.org>")
    #expect(draft.name == "Mum (mobile)")
    #expect(draft.channels.map(\.kind) == [.ntfy, .email])
    let hook = try ContactDraft(parsingResponder: "Hook <https://example.org/a,b>")
    #expect(hook.channels == [ChannelDraft(.webhook, "https://example.org/a,b")])
    #expect(throws: ValidationError.responderForm) { try ContactDraft(parsingResponder: "Mum <>") }
  }

  @Test("CON-1: a contact without a role is refused")
  func roles() {
    #expect(throws: ValidationError.roleRequired) {
      try ContactDraft(validating: "Grace", email: "", roles: [])
    }
  }

  @Test("CON-3: a responder without a channel is refused; a dependent needs no channel")
  func channelNeeded() throws {
    #expect(throws: ValidationError.channelRequired) {
      try ContactDraft(validating: "Grace", email: "", roles: [.responder, .dependent])
    }
    #expect(try ContactDraft(validating: "Grace", email: "", roles: .dependent).email == nil)
  }

  @Test("REM-1: reminders are kept once each, longest first; 0 and the whole interval are refused")
  func reminders() throws {
    #expect(
      try EscalationRules.reminders(
        [.minutes(10), .hours(2), .minutes(10)], interval: .standard) == [.hours(2), .minutes(10)])
    #expect(throws: ValidationError.reminderTooLong) {
      try EscalationRules.reminders([.hours(24)], interval: .standard)
    }
    #expect(throws: ValidationError.reminderTooLong) {
      try EscalationRules.reminders([.zero], interval: .standard)
    }
  }

  @Test("ESC-1: a grace time below 0 or above 24 h is refused")
  func grace() throws {
    #expect(try EscalationRules.grace(.zero) == .zero)
    #expect(try EscalationRules.grace(.hours(24)) == .hours(24))
    #expect(throws: ValidationError.graceRange) { try EscalationRules.grace(.seconds(86_401)) }
    #expect(throws: ValidationError.graceRange) { try EscalationRules.grace(.seconds(-1)) }
  }
}
