import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

@Suite struct MailMessageTests {
  let now = start + .hours(24) + .minutes(16)

  func message(
    _ delivery: ClaimedDelivery, calendar: CivilCalendar = .fixed(secondsFromGMT: 3_600)
  ) throws -> ParsedMail {
    let message = try #require(
      MailMessage(delivery, from: "monitor@example.org", now: now, calendar: calendar))
    return try ParsedMail(message.bytes)
  }

  @Test("The mail about a missed check-in says first what to do, then who, since when and how")
  func nonResponsive() throws {
    let mail = try message(.ada(.nonResponsive, note: "Diabetic.\nKey at No. 5."))
    #expect(mail.headers["Subject"] == "Ada has not checked in. Try to reach them")
    #expect(
      mail.body == """
        Try to reach Ada now: call +49 3012 3456. If you can't, go there or send someone.

        Hello Bob,

        Ada named you as a responder and checks in every day.
        Their deadline was Thu 2026-11-19 12:06 (11:06 UTC). They last checked in on Wed 2026-11-18 12:06 (11:06 UTC).

        Phone: +49 3012 3456
        Ada's emergency note:
          Diabetic.
          Key at No. 5.

        You'll get another message when Ada checks in.

        --\u{20}
        LifeSignal sent this message automatically. It is no substitute for emergency services.
        If someone may be in danger, call them: 112 in Europe, 911 in North America.

        """)
  }

  @Test("CHK-3: a silent alert's mail says that the person may be forced and who to call instead")
  func silentAlert() throws {
    let mail = try message(.ada(.alertOn, note: "Key at No. 5.", kind: .duress))
    #expect(mail.headers["Subject"] == "SILENT ALERT: Ada may be forced to say that all is well")
    #expect(mail.headers["Importance"] == "high")
    #expect(
      mail.body == """
        Call the emergency services now. Don't call Ada, don't write to them, and don't answer them.

        Hello Bob,

        Ada raised a silent alert on Wed 2026-11-18 13:06 (12:06 UTC), with a passphrase that they use only when someone forces them. You are one of their responders. The people with them can't see it and must not find out about it.

        Don't believe that all is well, whatever Ada says or writes to you, and whatever LifeSignal shows on their screen. Don't show this message to anyone who may be with them.

        What the emergency services may ask you:
        Phone, do not call it: +49 3012 3456
        Ada's emergency note:
          Key at No. 5.

        You get another message only when Ada ends the silent alert with their true passphrase.

        --\u{20}
        LifeSignal sent this message automatically. It is no substitute for emergency services.
        If someone may be in danger, call them: 112 in Europe, 911 in North America.

        """)
  }

  @Test("ESC-8: who is called although somebody is responding reads who, and since when")
  func held() throws {
    var delivery = ClaimedDelivery.ada(.nonResponsive)
    #expect(try !message(delivery).body.contains("responding since"))
    delivery.alert?.acknowledgements = [
      Acknowledgement(responder: UUID(), name: "Grace", date: start + .hours(25))
    ]
    #expect(
      try message(delivery).body.contains(
        "\nGrace has been responding since Thu 2026-11-19 13:06 (12:06 UTC); the alert is still on.\n"
      )
    )
  }

  @Test("SCH-1: messages name set times with their zone")
  func setTimes() throws {
    var delivery = ClaimedDelivery.ada(.nonResponsive)
    delivery.user = try delivery.user.changing(
      to: Promise(parsing: "daily 9:00", zone: "America/New_York"), at: start)
    let body = try message(delivery).body
    #expect(body.contains("checks in by 09:00 every day, New York time.\n"), "\(body)")
    #expect(body.contains("Their deadline was Thu 2026-11-19 15:00 (14:00 UTC)."), "\(body)")
  }

  @Test("ALT-8: an alert that follows a drill begins by saying that it is not a drill")
  func followsDrill() throws {
    for (stage, kind) in [
      (Stage.alertOn, Alert.Kind.manual), (.alertOnAgain(1), .manual), (.nonResponsive, .missed),
      (.nonResponsiveAgain(1), .missed), (.alertOn, .duress),
    ] {
      var delivery = ClaimedDelivery.ada(stage, kind: kind)
      #expect(try !message(delivery).body.contains("drill"))
      delivery.followsDrill = true
      #expect(try message(delivery).body.hasPrefix("This is not a drill. "))
      let text = MessageText(delivery: delivery, calendar: .utc)
      #expect(text.short.action.hasPrefix("This is not a drill. "))
    }
  }

  @Test("DUR-1: a silent alert is first mailed without the person's address as sender or Reply-To")
  func noTrace() throws {
    func mail(_ delivery: ClaimedDelivery, from sender: String) throws -> (String, ParsedMail) {
      let message = try #require(
        MailMessage(delivery, from: sender, now: now, calendar: .utc))
      return (message.sender, try ParsedMail(message.bytes))
    }
    let silent = ClaimedDelivery.ada(.alertOn, kind: .duress)
    let own = try mail(silent, from: "Ada@example.org")
    #expect(own.0 == "")
    #expect(own.1.headers["Reply-To"] == "Bob <bob@example.org>")
    // Bounces go to the address of the separate server.
    let service = try mail(silent, from: "monitor@example.org")
    #expect(service.0 == "monitor@example.org")
    #expect(service.1.headers["Reply-To"] == "Bob <bob@example.org>")
    var second = silent
    second.attempt = 2
    #expect(try mail(second, from: "ada@example.org").0 == "ada@example.org")
    var concealed = ClaimedDelivery.ada(.alertOnAgain(1))
    concealed.isSilent = true
    #expect(try mail(concealed, from: "ada@example.org").0 == "")
    let plain = try mail(.ada(.alertOn), from: "ada@example.org")
    #expect(plain.0 == "ada@example.org" && plain.1.headers["Reply-To"] == nil)
  }

  @Test("CHK-3: the end of a silent alert says who ended it and with which passphrase")
  func silentAlertOver() throws {
    let mail = try message(.ada(.alertOff, kind: .duress, resolvedAt: now))
    #expect(mail.headers["Subject"] == "Silent alert over: Ada ended it")
    #expect(
      mail.body == """
        Ada ended the silent alert with their true passphrase. If you called the emergency services, tell them.

        Hello Bob,

        Ada raised a silent alert on Wed 2026-11-18 13:06 (12:06 UTC) and ended it on Thu 2026-11-19 12:22 (11:22 UTC), with their true passphrase.

        Phone: +49 3012 3456

        --\u{20}
        LifeSignal sent this message automatically. It is no substitute for emergency services.
        If someone may be in danger, call them: 112 in Europe, 911 in North America.

        """)
  }

  @Test("AUTH-4: the message about a deleted account says that nobody is watching any more")
  func accountDeleted() throws {
    let mail = try message(.ada(.accountDeleted, phone: nil))
    #expect(mail.headers["Subject"] == "Ada has deleted their LifeSignal account")
    #expect(mail.headers["Importance"] == nil)
    #expect(
      mail.body == """
        You won't get any more messages about Ada from LifeSignal. You don't need to do anything.

        Hello Bob,

        LifeSignal would have notified you if Ada missed a check-in. Ada has deleted the account, so nobody is watching any more.

        --\u{20}
        LifeSignal sent this message automatically. It is no substitute for emergency services.
        If someone may be in danger, call them: 112 in Europe, 911 in North America.

        """)
  }

  @Test("AUTH-1: the mail for a forgotten password has the code in its subject and first line")
  func passwordReset() throws {
    let mail = try message(
      .ada(.passwordReset, to: "ada@example.org", recipientName: "Ada", detail: "K7QX2M9P"))
    #expect(mail.headers["Subject"] == "K7QX2M9P is your code for a new LifeSignal password")
    #expect(
      mail.body == """
        Type K7QX2M9P where LifeSignal asks for the code, within an hour.

        Hello Ada,

        Someone, most likely you, asked for a new password. If it wasn't you, ignore this mail: without the code nothing changes.

        --\u{20}
        LifeSignal sent this message automatically. It is no substitute for emergency services.
        If someone may be in danger, call them: 112 in Europe, 911 in North America.

        """)
  }

  @Test(
    "A person without responders gets no message that mentions responders",
    arguments: [true, false])
  func withoutResponders(hasResponders: Bool) throws {
    for stage in [Stage.reminder(.minutes(30)), .deadlinePassed] {
      var delivery = ClaimedDelivery.ada(stage)
      delivery.hasResponders = hasResponders
      #expect(try message(delivery).body.contains("responders are notified on") == hasResponders)
    }
  }

  @Test("An unknown phone number or note is left out together with its line")
  func withoutPhoneAndNote() throws {
    let mail = try message(.ada(.alertOn, phone: nil))
    #expect(mail.body.hasPrefix("Ada needs help. Try to reach them now. If you"))
    for word in ["Phone", "note", "says", "{", "}", "\n\n\n"] {
      #expect(!mail.body.contains(word), "\(word)")
    }
  }

  @Test("An alert's mail contains the person's message")
  func alertMessage() throws {
    let mail = try message(.ada(.alertOn, message: "Fell on the trail"))
    #expect(mail.headers["Subject"] == "ALERT: Ada needs help")
    #expect(mail.body.contains("\nAda says:\n  Fell on the trail\n\nPhone"))
  }

  @Test(
    "Every kind of mail names the person and says it is no substitute for emergency services",
    arguments: [
      Stage.reminder(.minutes(30)), .pauseEnds, .deadlinePassed, .nonResponsive, .allClear,
      .alertOn, .alertOff, .accountDeleted,
    ])
  func everyStage(stage: Stage) throws {
    let mail = try message(.ada(stage, resolvedAt: now))
    #expect(mail.body.contains("Ada") || mail.headers["From"]!.contains("Ada"))
    #expect(mail.body.contains("no substitute for emergency services"))
    #expect(!mail.body.contains("{"))
    #expect(!mail.headers["Subject"]!.contains("{"))
    #expect(mail.headers["Auto-Submitted"] == "auto-generated")
    let isUrgent = stage == .nonResponsive || stage == .alertOn
    #expect(mail.headers["Importance"] == (isUrgent ? "high" : nil))
  }

  @Test("The mail that ends an alert is a reply to the one that began it")
  func thread() throws {
    let mail = try message(
      .ada(.allClear, inReplyTo: MessageID(text: "first@lifesignal.invalid"), resolvedAt: now))
    #expect(mail.headers["In-Reply-To"] == "<first@lifesignal.invalid>")
    #expect(mail.headers["References"] == "<first@lifesignal.invalid>")
    #expect(
      mail.headers["Message-ID"] == "<11111111-2222-3333-4444-555555555555@lifesignal.invalid>")
    #expect(mail.headers["Date"] == "Thu, 19 Nov 2026 11:22:40 +0000")
  }

  @Test("If the local date differs from the UTC date, the mail shows both")
  func anotherDay() throws {
    let mail = try message(.ada(.nonResponsive), calendar: .fixed(secondsFromGMT: 13 * 3_600))
    #expect(mail.body.contains("Fri 2026-11-20 00:06 (2026-11-19 11:06 UTC)"))
    let utc = try message(.ada(.nonResponsive), calendar: .utc)
    #expect(utc.body.contains("Thu 2026-11-19 11:06 UTC."))
  }

  @Test("Names in any script arrive unchanged in From, To and Subject")
  func names() throws {
    let name = "Ægir Þórðarson-Müller 明日香 Владимирович"
    let mail = try message(.ada(.alertOn, name: name, recipientName: "Bøb \"X\" O'Neil, Jr."))
    #expect(mail.headers["From"] == "\(name) via LifeSignal <monitor@example.org>")
    #expect(mail.headers["To"] == "Bøb \"X\" O'Neil, Jr. <bob@example.org>")
    #expect(mail.headers["Subject"] == "ALERT: \(name) needs help")
  }

  @Test("Text from people never becomes a header, a placeholder or a control sequence")
  func injection() throws {
    let evil = "A\r\nBcc: eve@example.org\r\n\r\n{phone}\u{1B}[31m=?UTF-8?Q?x?="
    let mail = try message(
      .ada(.alertOn, name: evil, note: "{name}\r\n.\r\nMAIL FROM:", recipientName: evil))
    #expect(mail.headers["Bcc"] == nil)
    #expect(mail.headers.count == 10)
    #expect(!mail.body.contains("\u{1B}"))
    #expect(mail.body.contains("{phone}"))
    #expect(mail.body.contains("  {name}\n  .\n  MAIL FROM:"))
  }

  @Test("Mail lines are ASCII, at most 76 characters long, and end in CRLF")
  func lines() throws {
    let long = String(repeating: "é", count: 2_000)
    let name = String(repeating: "漢", count: 50)
    let message = try #require(
      MailMessage(
        .ada(.alertOn, name: name, note: long, message: long, recipientName: name),
        from: "monitor@example.org", now: now, calendar: .utc))
    #expect(message.bytes.allSatisfy { $0 < 0x80 })
    let text = String(decoding: message.bytes, as: UTF8.self)
    let lines = text.unicodeScalars.split(separator: "\r\n".unicodeScalars)
    #expect(lines.allSatisfy { $0.count <= 76 && !$0.contains("\n") && !$0.contains("\r") })
    #expect(try ParsedMail(message.bytes).body.contains(long))
  }
}

@Suite struct QuotedPrintableTests {
  @Test(
    "Quoted-printable encodes the examples of RFC 2045",
    arguments: [
      ("plain\n", "plain\r\n"), ("a=b\n", "a=3Db\r\n"), ("end \n", "end=20\r\n"),
      ("tab\t\nx", "tab=09\r\nx\r\n"), ("é\n", "=C3=A9\r\n"), ("a\r\nb\n", "a\r\nb\r\n"), ("", ""),
    ])
  func examples(text: String, expected: String) {
    #expect(String(decoding: QuotedPrintable.encode(text), as: UTF8.self) == expected)
  }

  @Test("Quoted-printable text decodes to its original and has lines of at most 76 characters")
  func roundTrip() throws {
    for length in 60...90 {
      for end in ["", " ", "=", "é", "  "] {
        let text = String(repeating: "x", count: length) + end + "\nnext\n"
        let encoded = QuotedPrintable.encode(text)
        #expect(ParsedMail.decodeQuotedPrintable(encoded) == text)
        let lines = encoded.split(separator: 0x0A)
        #expect(lines.allSatisfy { $0.count <= 77 })
        #expect(lines.allSatisfy { $0.dropLast().last != 0x20 })
      }
    }
  }
}
