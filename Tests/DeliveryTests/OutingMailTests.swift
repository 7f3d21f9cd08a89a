import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Delivery

/// The messages about outings: OUT-2 … OUT-4.
struct OutingMailTests {
  private let end = start + .hours(4)

  private func outing(_ text: String = "Ben Nevis by the CMD arête\nred tent") -> Outing {
    Outing(id: UUID(), text: text, until: end, startedAt: start)
  }

  private func text(_ delivery: ClaimedDelivery) -> MessageTemplate.Filled {
    MessageText(delivery: delivery, links: nil, calendar: .utc).subjectAndBody
  }

  /// A message of the outing's alert.
  private func message(
    _ stage: Stage, _ outing: Outing, resolvedAt: Date? = nil, at date: Date? = nil
  ) -> ClaimedDelivery {
    var message = ClaimedDelivery.ada(stage, note: "Diabetic.")
    message.alert = Alert(
      id: outing.id, kind: .outing, message: outing.text, raisedAt: outing.graceEnd,
      resolvedAt: resolvedAt, dueBack: outing.until)
    message.plannedAt = date ?? outing.graceEnd
    message.user.outing = resolvedAt == nil ? outing : nil
    message.tell(of: message.user.outing)
    return message
  }

  @Test(
    "OUT-4: *not back* says first what to do, then since when, the whole text and how to reach them"
  )
  func notBack() {
    let mail = text(message(.nonResponsive, outing()))
    #expect(mail.subject == "Ada isn't back. Try to reach them")
    #expect(
      mail.body.hasPrefix(
        """
        Try to reach Ada now: call +49 3012 3456. If you can't, have the emergency services look for them.

        Hello Bob,

        Ada was to be back by Wed 2026-11-18 15:06 UTC. They last checked in on Wed 2026-11-18 11:06 UTC.

        Ada wrote before leaving:
          Ben Nevis by the CMD arête
          red tent

        Phone: +49 3012 3456
        Ada's emergency note:
          Diabetic.

        You'll get another message when Ada is back.
        """), "\(mail.body)")
    let again = text(message(.nonResponsiveAgain(1), outing("")))
    #expect(again.subject == "Ada still isn't back. Try to reach them")
    #expect(!again.body.contains("before leaving"))
  }

  @Test("OUT-4: if the deadline is missed as well, the message has both reasons")
  func both() {
    let late = text(message(.nonResponsive, outing(), at: start + .hours(25)))
    #expect(
      late.body.contains(
        "They have missed a check-in, too: their deadline was Thu 2026-11-19 11:06 UTC."))
    // One that waits for the outing isn't another reason.
    var waits = outing()
    waits.holdsDeadline = true
    waits.until = start + .hours(26)
    #expect(!text(message(.nonResponsive, waits)).body.contains("missed a check-in"))
  }

  @Test("OUT-3: the message of a missed deadline carries the outing's text, to its responders only")
  func missed() {
    var message = ClaimedDelivery.ada(.nonResponsive)
    message.user.outing = outing()
    message.tell(of: message.user.outing)
    #expect(
      text(message).body.contains(
        """
        Ada is on an outing, and was to be back by Wed 2026-11-18 15:06 UTC. Before leaving they wrote:
          Ben Nevis by the CMD arête
          red tent

        """))
    var chosen = outing()
    chosen.responders = [UUID()]
    message.tell(of: chosen)
    #expect(message.outing == nil && !text(message).body.contains("Ben Nevis"))
  }

  @Test("OUT-2: *out*, *for longer* and *back* reassure; *back* from a missed one is its all-clear")
  func reassuring() {
    var out = ClaimedDelivery.ada(.reassurance(UUID()), detail: "is out until 18:00")
    out.user.outing = outing()
    out.tell(of: out.user.outing)
    let mail = text(out)
    #expect(mail.subject == "Ada is out until 18:00")
    #expect(
      mail.body.contains(
        "If Ada isn't back by Wed 2026-11-18 15:06 UTC, you'll get another message 15 minutes later."
      ),
      "\(mail.body)")
    #expect(
      mail.body.contains("Ada wrote before leaving:\n  Ben Nevis by the CMD arête\n  red tent"))
    let back = text(.ada(.reassurance(UUID()), detail: ResponderNotice.back))
    #expect(back.subject == "Ada is back" && !back.body.contains("another message"))
    let clear = text(message(.allClear, outing(), resolvedAt: end + .hours(1)))
    #expect(clear.subject == "Ada is back")
    #expect(clear.body.contains("They said on Wed 2026-11-18 16:06 UTC that they are back."))
    var still = message(.allClear, outing(), resolvedAt: end + .hours(1))
    still.isAnotherAlertOn = true
    let other = text(still).body
    #expect(other.contains("and said on Wed 2026-11-18 16:06 UTC that they are."))
    #expect(!other.contains("raised") && !other.contains("had not checked in"))
  }

  @Test("OUT-4: the person reads when they were to be back, how to say so, and what happens else")
  func reminders() {
    func own(_ stage: Stage, graceFrom: Date? = nil) -> MessageTemplate.Filled {
      var message = ClaimedDelivery.ada(stage)
      message.recipient = .owner
      message.hasResponders = true
      message.user.outing?.graceFrom = graceFrom
      return text(message)
    }
    let before = own(.outingEnds(.minutes(30), end))
    #expect(before.subject == "Be back by 15:06")
    #expect(before.body.contains("your responders are notified on Wed 2026-11-18 15:21 UTC."))
    let at = own(.outingEnds(.zero, end))
    #expect(at.subject == "You were to be back by 15:06")
    #expect(at.body.contains("lifesignal out +30m") && !at.body.contains("No monitor"))
    let late = own(.outingNoticedLate(end), graceFrom: end + .hours(1))
    #expect(late.body.contains("No monitor was running at that time"))
    #expect(late.body.contains("your responders are notified on Wed 2026-11-18 16:21 UTC."))
  }

  @Test(
    "DUR-1, OUT-4: a silent alert's message carries the text of the outing that seems to be over")
  func silent() {
    var message = ClaimedDelivery.ada(.alertOn, kind: .duress)
    message.tell(of: outing())
    #expect(text(message).body.contains("red tent"))
  }

  @Test(
    "AUTH-4, OUT-4: when the account is deleted, only who was notified of the outing reads of it")
  func deleted() {
    var message = ClaimedDelivery.ada(.accountDeleted)
    message.user.outing = outing()
    message.tell(of: message.user.outing)
    #expect(!text(message).body.contains("outing"))
    message.user.outing?.isAnnounced = true
    message.tell(of: message.user.outing)
    #expect(
      text(message).body.contains(
        "An outing was on: Ada was to be back by Wed 2026-11-18 15:06 UTC."))
  }
}
