import Terminal
import Testing

/// Open alerts, silent alerts and drills.
extension Scene {
  static let alerts = [
    Scene("Ada raises an alert with the emergency key") { ada, bob, world in
      ada.types("!!!!!")
      try ada.sees("Sends in 5")
      ada.presses("enter")
      try ada.closes("the alert stays on")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("Subject: ALERT: Ada Lovelace needs help", to: address)
      }
      try ada.sees("sent to 2 of 2")
    } remains: { ada, bob, _ in
      try ada.sees("ALERT ON", "x Cancel")
      try bob.goes(to: .dependents)
      try bob.sees("! Ada Lovelace", "ALERT")
    },

    Scene("She cancels it: by a word that nobody types by accident") { ada, bob, world in
      try ada.goes(to: .checkIn)
      ada.presses("x")
      try ada.sees("Cancel the alert?")
      ada.types("cancel")
      try ada.seesNoMore("Cancel the alert?")
      // The panel takes every key until it closes, a second after the alert's end is stored.
      try world.time.passes(seconds: 1)
      try ada.seesNoMore("Cancelling the alert")
      try ada.seesNoMore("The alert is over.")
      try ada.seesNoMore("ALERT ON")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("Alert over: Ada Lovelace cancelled the alert", to: address)
      }
    } remains: { ada, bob, _ in
      try ada.goes(to: .alerts)
      try ada.sees("Your alert is over")
      try bob.goes(to: .alerts)
      try bob.sees("Ada Lovelace's alert is over")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
    },

    Scene("She sets a passphrase, and another one for duress") { ada, _, _ in
      try ada.goes(to: .profile)
      ada.presses("s")
      try ada.chooses("Set a passphrase gate")
      try ada.sees("Under duress")
      for passphrase in ["blue kettle", "green kettle"] {
        for _ in 1...2 {
          ada.types(passphrase)
          ada.presses("tab")
        }
      }
      ada.presses("enter")
      try ada.closes("Your passphrase gate is set.")
    } remains: { ada, _, _ in
      try ada.goes(to: .profile)
      try ada.sees("a passphrase before a check-in")
    },

    Scene("Forced to check in, she calls for help silently") { ada, bob, world in
      try world.time.passes(minutes: 5)
      try ada.goes(to: .checkIn)
      ada.presses("c")
      try ada.sees("Your passphrase is needed to check in.")
      ada.types("green kettle")
      ada.presses("enter")
      try ada.seesNoMore("Your passphrase is needed")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("Call the emergency services now. Don't call Ada", to: address)
      }
      // Ada's screen shows later events, but nothing about the silent alert.
      try bob.goes(to: .dependents)
      try bob.sees("! Ada Lovelace", "ALERT")
      bob.presses("enter")
      try bob.sees("raised silently: don't call")
      bob.presses("p")
      try bob.isAsked("Ping Ada Lovelace?", andPresses: "enter")
      try bob.sees("Withdraw ping")
      try ada.sees("Bob Noyce asks you to check in.")
      try ada.showsNoSilentAlert()
      bob.presses("p")
      try bob.sees("withdrawn")
      try bob.closes("last check-in")
      try ada.seesNoMore("Bob Noyce asks you to check in.")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("All is well")
      try ada.showsNoSilentAlert()
      try ada.goes(to: .alerts)
      try ada.sees("▸All", "Your alert is over")
      try ada.showsNoSilentAlert()
      try bob.goes(to: .dependents)
      try bob.sees("! Ada Lovelace", "ALERT")
    },

    Scene("Safe again, she ends it with her true passphrase") { ada, bob, world in
      try ada.goes(to: .profile)
      ada.presses("ctrl+p")
      try ada.sees("Type to search")
      try ada.showsNoSilentAlert()
      ada.types("silent")
      try ada.sees("Check for a silent alert")
      ada.presses("enter")
      try ada.sees("A duress passphrase raises an alert")
      ada.types("blue kettle")
      ada.presses("enter")
      try ada.sees("A silent alert has been on since", "x End it")
      ada.presses("x")
      try ada.closes("The silent alert is over.")
      try ada.closes("╭ Security")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("Silent alert over: Ada Lovelace ended it", to: address)
      }
    } remains: { _, bob, _ in
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
    },

    Scene("She rehearses an alert, and reads the report") { ada, bob, world in
      try ada.goes(to: .alerts)
      ada.presses("t")
      try ada.isAsked("Rehearse an alert?", andPresses: "y")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("THIS IS A DRILL, to test that messages can be sent.", to: address)
        try world.mail.brings("DRILL over: Ada Lovelace's drill has ended", to: address)
      }
    } remains: { ada, bob, _ in
      try ada.goes(to: .alerts)
      try ada.sees("Drill: sent to all 2 responders, at once.")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
    },
  ]
}

extension Person {
  /// Expects that the person's own screen doesn't show their silent alert (CHK-3).
  fileprivate func showsNoSilentAlert() throws {
    for sign in ["ALERT ON", "Silent", "silently", "Alerts !", "needs help"] {
      #expect(!screen.contains(sign), "\(screen)")
    }
  }
}
