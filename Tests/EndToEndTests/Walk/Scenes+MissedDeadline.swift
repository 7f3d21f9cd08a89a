import Terminal
import Testing

/// Ada misses a deadline, and her responder looks after her until she is back.
extension Scene {
  static let missedDeadline = [
    Scene("She is reminded, and told that she is late", alsoKillsMonitor: true) { ada, bob, world in
      try world.mail.brings("Ada Lovelace named you as a contact", to: "grace@navy.example")
      try world.time.passes(hours: 23, minutes: 31)
      try world.mail.brings("Subject: Check in by ", to: "ada@example.org")
      try world.time.passes(minutes: 30)
      try world.mail.brings("Your deadline was", to: "ada@example.org")
      try ada.goes(to: .checkIn)
      try ada.sees("Overdue")
    } remains: { ada, bob, world in
      try ada.goes(to: .alerts)
      try ada.sees("Check in within ", "Your deadline has passed: check in now")
      try bob.goes(to: .dependents)
      try bob.sees("▲ Ada Lovelace", "Overdue")
      #expect(world.mail.rest.isEmpty)
    },

    Scene("The grace time ends: both responders are notified") { ada, bob, world in
      try world.time.passes(minutes: 15)
      try world.mail.brings("Try to reach Ada Lovelace now", to: "grace@navy.example")
      try world.mail.brings("Try to reach Ada Lovelace now", to: "bob@example.org")
      try bob.sees("No check-in")
      try ada.goes(to: .checkIn)
      try ada.sees("your responders have been notified")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("your responders have been notified", "Bob Noyce ✓", "Grace Hopper ✓")
      try bob.goes(to: .dependents)
      try bob.sees("▲ Ada Lovelace", "No check-in")
    },

    Scene("Bob says that he is responding") { ada, bob, world in
      try bob.goes(to: .dependents)
      bob.presses("enter")
      try bob.sees("a Acknowledge", "deadline missed")
      bob.presses("a")
      try bob.sees("✓ Bob Noyce is responding")
      try world.mail.brings("Bob Noyce is responding to Ada Lovelace", to: "grace@navy.example")
      try world.mail.brings(
        "Bob Noyce is responding to your missed check-in", to: "ada@example.org")
      try bob.closes("last check-in")
    } remains: { ada, bob, _ in
      try ada.goes(to: .alerts)
      try ada.sees("Bob Noyce is responding")
      try bob.goes(to: .dependents)
      try bob.sees("No check-in", "✓ Bob Noyce")
    },

    Scene("She is back, and all are notified") { ada, bob, world in
      try ada.goes(to: .checkIn)
      ada.presses("c")
      try ada.sees("All is well", "late")
      try world.mail.brings("All clear: Ada Lovelace has checked in", to: "grace@navy.example")
      try world.mail.brings("All clear: Ada Lovelace has checked in", to: "bob@example.org")
    } remains: { ada, bob, _ in
      try ada.goes(to: .alerts)
      try ada.sees("All clear: you are back")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
      try bob.goes(to: .alerts)
      try bob.sees("All clear: Ada Lovelace has checked in")
    },
  ]
}
