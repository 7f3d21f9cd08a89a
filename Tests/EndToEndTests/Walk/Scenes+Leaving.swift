import Terminal
import Testing

/// Ada pauses, comes back, and deletes her account.
extension Scene {
  static let leaving = [
    Scene("Ada pauses for two days") { ada, bob, _ in
      try ada.goes(to: .checkIn)
      ada.presses("p")
      try ada.sees("Pause for …")
      ada.types("2d")
      ada.presses("enter")
      try ada.sees("you don't need to check in")
      ada.presses("enter")
      try ada.sees("Your passphrase is needed to")
      ada.types("blue kettle")
      ada.presses("enter")
      try ada.sees("Paused until", "nobody expects a check-in until then")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("Paused until")
      try bob.goes(to: .dependents)
      try bob.sees("‖ Ada Lovelace", "paused until")
    },

    Scene("A day later she resumes, by a check-in") { ada, bob, world in
      try world.time.passes(days: 1, hours: 3)
      try ada.goes(to: .checkIn)
      ada.presses("p")
      try ada.sees("Resume checks you in and ends the pause")
      ada.presses("enter")
      try ada.sees("Your passphrase is needed to")
      ada.types("blue kettle")
      ada.presses("enter")
      try ada.sees("All is well")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("All is well", "until tomorrow")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
    },

    Scene("She deletes her account") { ada, bob, world in
      try ada.goes(to: .profile)
      ada.presses("s")
      try ada.sees("Delete the account")
      ada.presses("end", "enter")
      try ada.sees("This can't be undone.", "Type Ada Lovelace to confirm.")
      ada.types("Ada Lovelace")
      if world.server != nil {
        ada.presses("tab")
        ada.types("three random words")
      }
      ada.presses("enter")
      try ada.sees("Your passphrase is needed to delete your account.")
      ada.types("blue kettle")
      ada.presses("enter")
      try ada.sees("Your account is deleted.")
      for address in ["grace@navy.example", "bob@example.org"] {
        try world.mail.brings("Ada Lovelace has deleted their LifeSignal account", to: address)
      }
    } remains: { ada, bob, _ in
      try ada.sees("Sign in")
      try bob.goes(to: .alerts)
      try bob.sees("Ada Lovelace is no longer a contact")
      for tab in [Person.Tab.responders, .dependents] {
        try bob.goes(to: tab)
        try bob.seesNoMore("Ada Lovelace")
      }
    },

    Scene("So does Bob, and nobody is left") { ada, bob, world in
      try bob.goes(to: .profile)
      bob.presses("s")
      try bob.sees("Delete the account")
      bob.presses("end", "enter")
      try bob.sees("Type Bob Noyce to confirm.")
      bob.types("Bob Noyce")
      bob.presses("tab")
      bob.types("four random words")
      bob.presses("enter")
      try bob.sees("Your account is deleted.")
    } remains: { _, bob, _ in
      try bob.sees("Sign in")
    },
  ]
}
