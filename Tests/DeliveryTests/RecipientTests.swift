import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// ALT-9: messages address each reader according to their role.
struct RecipientTests {
  enum Reader: CaseIterable {
    /// The owner of the account.
    case user
    /// A responder with an account, and one without, who has a code.
    case responder, outsideContact
  }

  /// The recipients of a stage. Add new stages here.
  static func readers(of stage: Stage) -> [Reader] {
    switch stage {
    case .reminder, .pauseEnds, .deadlinePassed, .noticedLate, .passwordReset, .passwordWasReset,
      .addressCode, .addressReplaced, .addressTakenBack, .requestWaits, .serverRestored,
      .outingEnds, .outingNoticedLate:
      [.user]
    case .nonResponsive, .nonResponsiveAgain, .alertOn, .alertOnAgain, .accountDeleted, .allClear,
      .alertOff, .alertNote, .responderNotice, .reassurance, .checkedIn, .linkPressed, .lateSign:
      [.responder, .outsideContact]
    case .contactAdded: [.outsideContact]
    case .acknowledged, .withdrawn, .channelTest, .unwatched: Reader.allCases
    }
  }

  static func message(
    _ stage: Stage, _ reader: Reader, kind: Alert.Kind, responders: Int, text: String = "fell"
  ) -> MessageText {
    var delivery = ClaimedDelivery.ada(
      stage, name: "Ada Lovelace", note: "Penicillin allergy.", message: text,
      recipientName: reader == .user ? "Ada Lovelace" : "Bob", kind: kind, detail: "Grace Hopper",
      resolvedAt: stage.isEnd ? start + .hours(2) : nil,
      code: reader == .outsideContact ? "7K3QF-9ZD2M" : nil)
    if reader == .user { delivery.recipient = .owner }
    delivery.hasResponders = responders > 0
    if case .reminder = stage { delivery.detail = "" }
    return MessageText(
      delivery: delivery, links: nil, calendar: .utc)
  }

  /// All texts of a message on any channel, without the greeting.
  static func texts(_ message: MessageText) -> [String] {
    let filled = message.subjectAndBody
    let html = MailHTML(message, filled).text
    let event = WebhookEvent(message)
    let short = message.short
    let all = [filled.subject, filled.body, html, event.data.title, event.data.text]
    return (all + [short.title, short.text, event.data.person.phone ?? ""]).map { text in
      text.split(separator: "\n").filter { !$0.contains("Hello ") }.joined(separator: "\n")
    }
  }

  /// Each stage with each of its readers, kinds of alert and numbers of responders.
  static let cases: [(Stage, Reader, Alert.Kind, Int)] = Stage.samples.flatMap { stage in
    readers(of: stage).flatMap { reader in
      [Alert.Kind.manual, .missed].flatMap { kind in [0, 1, 3].map { (stage, reader, kind, $0) } }
    }
  }

  @Test("ALT-9: messages to the user say you and your, and don't speak about the user")
  func user() {
    for (stage, reader, kind, count) in Self.cases where reader == .user {
      for text in Self.texts(Self.message(stage, reader, kind: kind, responders: count)) {
        for word in ["Ada", "4930123456", " they ", " their ", " them "] {
          #expect(!text.contains(word), "\(stage) with \(count) responders: \(text)")
        }
        for word in ["need not do", "need do nothing", "don't need to do", "nothing you need"] {
          #expect(!text.contains(word), "\(stage): \(text)")
        }
        if count == 0 { #expect(!text.contains("responders are"), "\(stage): \(text)") }
      }
    }
  }

  @Test("ALT-9: messages to other people never address them as the user")
  func others() {
    for (stage, reader, kind, count) in Self.cases where reader != .user {
      let words = [
        "your alert", "Your alert", "You missed", "your check-in", "your responders",
        "Your responders", "your deadline", "your pause", "your phone", "call yourself",
      ]
      for text in Self.texts(Self.message(stage, reader, kind: kind, responders: count)) {
        for word in words { #expect(!text.contains(word), "\(stage): \(text)") }
      }
      let subject = Self.message(stage, reader, kind: kind, responders: count).subjectAndBody
      if stage.isCall { #expect(subject.subject.contains("Ada Lovelace"), "\(stage)") }
    }
  }

  @Test(
    "CHK-6: while another alert is on, no all-clear says that there is nothing to do",
    arguments: [Stage.allClear, .alertOff], [Alert.Kind.manual, .missed, .duress])
  func stillOn(_ stage: Stage, _ kind: Alert.Kind) {
    let message = Self.message(stage, .responder, kind: kind, responders: 2)
    var delivery = message.delivery
    #expect(Self.texts(message).contains { !$0.contains("still on") })
    delivery.isAnotherAlertOn = true
    for text in Self.texts(MessageText(delivery: delivery, links: nil, calendar: .utc))
    where !text.isEmpty {
      for word in ["don't need to do", "is back", "All clear"] { #expect(!text.contains(word)) }
      #expect(text.contains("still on") || text.hasPrefix("+"), "\(text)")
    }
  }

  @Test("NOT-3: no message says that somebody was reached, or that one was delivered or opened")
  func claims() {
    for (stage, reader, kind, count) in Self.cases {
      let text = Self.texts(Self.message(stage, reader, kind: kind, responders: count)).joined()
      for word in ["reached", "delivered", "opened", "takes care"] {
        #expect(!text.contains(word), "\(stage): \(text)")
      }
    }
  }

  @Test("ALT-9: the person in danger reads who is responding and how to end the alert")
  func acknowledged() {
    let manual = Self.message(.acknowledged(UUID()), .user, kind: .manual, responders: 1)
    #expect(
      manual.subjectAndBody.body.hasPrefix(
        """
        Grace Hopper is responding to your alert.

        Hello Ada Lovelace,

        Your alert stays on until you cancel it: run "lifesignal alert off", or open lifesignal.

        """))
    let missed = Self.message(.acknowledged(UUID()), .user, kind: .missed, responders: 1)
    #expect(missed.subjectAndBody.body.contains("If you are well, check in now"))
    #expect(!missed.subjectAndBody.body.contains("alert off"))
    let other = Self.message(.acknowledged(UUID()), .responder, kind: .manual, responders: 3)
    #expect(
      other.subjectAndBody.body.hasPrefix(
        "Grace Hopper is responding to Ada Lovelace's alert. You don't need to do anything"))
  }

  @Test("DUR-1: the message about a response to a silent alert has no number and says not to call")
  func silentlyAcknowledged() {
    for text in Self.texts(
      Self.message(.acknowledged(UUID()), .responder, kind: .duress, responders: 2))
    where !text.isEmpty {
      for word in ["4930123456", "3012 3456", "don't need to do"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
    let silent = Self.message(.acknowledged(UUID()), .responder, kind: .duress, responders: 2)
    #expect(silent.short.text.contains("Don't call Ada Lovelace"))
  }

  @Test("PAGE-1: a withdrawn response is reported; for a silent alert the message says not to call")
  func withdrawn() {
    func text(_ reader: Reader, _ kind: Alert.Kind) -> String {
      Self.message(.withdrawn(UUID()), reader, kind: kind, responders: 2).subjectAndBody.body
    }
    #expect(text(.user, .manual).hasPrefix("Grace Hopper is no longer responding."))
    #expect(text(.responder, .manual).contains("Try to reach Ada Lovelace now: call +49 3012 3456"))
    let silent = text(.responder, .duress)
    #expect(silent.contains("Don't call Ada Lovelace.") && !silent.contains("4930123456"))
    // Without links there is no button, and nobody is sent to the computer of the person under
    // duress.
    for word in ["button", "at hand"] { #expect(!silent.contains(word)) }
    #expect(!text(.responder, .manual).contains("button"))
    var linked = Self.message(.withdrawn(UUID()), .responder, kind: .manual, responders: 2)
    linked.links = LinkSettings(url: "https://ada.example.org")
    #expect(linked.subjectAndBody.body.contains("press the button"))
    // A reader who is already responding isn't asked to.
    var delivery = linked.delivery
    let bob = Contact.ID()
    delivery.recipient = .contact(bob)
    delivery.alert?.acknowledgements = [Acknowledgement(responder: bob, name: "Bob", date: start)]
    let responding = MessageText(delivery: delivery, links: linked.links, calendar: .utc)
      .subjectAndBody.body
    #expect(responding.hasPrefix("Grace Hopper is no longer responding. You still are."))
    for word in ["button", "Try to reach"] { #expect(!responding.contains(word)) }
  }

  @Test("Messages about a response to a missed check-in never mention an alert")
  func missedCheckIn() {
    for stage in [Stage.acknowledged(UUID()), .withdrawn(UUID())] {
      let message = Self.message(stage, .responder, kind: .missed, responders: 2)
      #expect(
        message.subjectAndBody.subject.hasSuffix("responding to Ada Lovelace's missed check-in"))
      for text in Self.texts(message) { #expect(!text.contains("alert"), "\(text)") }
    }
  }

  @Test("Each line of a message begins with a capital and ends where its sentence ends")
  func lines() {
    for (stage, reader, kind, count) in Self.cases {
      let body = Self.message(stage, reader, kind: kind, responders: count).subjectAndBody.body
      for line in body.split(separator: "\n")

      where !line.hasPrefix(" ") && !line.hasPrefix("Hello ") && line != "Grace Hopper" {
        #expect(line.first?.isLowercase == false, "\(stage): \(line)")
        #expect(line.last?.isLowercase == false && line.last != ",", "\(stage): \(line)")
      }
    }
  }

  @Test("CHK-8: responders read that the person pressed a link, when, and to call to be sure")
  func linkPressed() {
    var message = Self.message(.linkPressed, .responder, kind: .missed, responders: 1)
    var delivery = message.delivery
    delivery.detail = "a mail"
    message = MessageText(delivery: delivery, links: nil, calendar: .utc)
    #expect(
      message.subjectAndBody.subject
        == "Ada Lovelace pressed I'm OK in a mail at \(CivilCalendar.utc.time(of: start).clock). Call to be sure"
    )
    #expect(message.phoneToCall == "+4930123456")
  }

  @Test("ALT-7: text written after the alert was sent goes out unchanged")
  func note() {
    let text = Self.message(.alertNote(UUID()), .responder, kind: .manual, responders: 1)
    #expect(text.subjectAndBody.subject == "Ada Lovelace wrote: Grace Hopper")
    #expect(text.subjectAndBody.body.contains("\n  Grace Hopper\n"))
    #expect(text.short.text.contains("Grace Hopper"))
  }

  @Test("ALT-9: a responder's code typed in the user's own app gets an answer meant for the user")
  func response() {
    var response = Response(
      kind: .acknowledged, person: "Ada Lovelace", responder: "Grace Hopper", isAboutUser: true)
    #expect(response.summary == "Grace Hopper is responding.")
    response.isAboutUser = false
    #expect(
      response.summary == "Grace Hopper is responding. Others who were notified get a message."
    )
  }
}
