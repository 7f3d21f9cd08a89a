import Terminal
import Testing

/// Two people create their accounts, on one machine or two, and become each other's contacts.
extension Scene {
  static let opening = [
    Scene("Ada opens the first account") { ada, _, _ in
      try ada.sees("Who are you?")
      ada.types("Ada Lovelace")
      ada.presses("enter")
      ada.types("+44 20 7183 8750")
      ada.presses("enter")
      ada.types("4 Mill Lane, Ely")
      ada.presses("enter")
      try ada.sees("What should your responders know")
      ada.types("Penicillin allergy.")
      ada.presses("tab")
      try ada.sees("How often will you check in?")
      ada.presses("enter", "enter")
      ada.types("ada@example.org")
      ada.presses("enter")
      try ada.sees("Who should be notified")
      ada.types("Grace Hopper")
      ada.presses("enter")
      ada.types("grace@navy.example")
      ada.presses("enter")
      try ada.sees("Send Grace Hopper a test message")
      ada.presses("l")
      try ada.sees("All is well", "until tomorrow 08:0")
    } remains: { ada, _, _ in
      try ada.goes(to: .profile)
      try ada.sees(
        "Ada Lovelace", "+44 20 7183 8750", "4 Mill Lane, Ely", "ada@example.org",
        "Penicillin allergy.")
      try ada.goes(to: .responders)
      try ada.sees("Grace Hopper", "grace@navy.example")
    },

    Scene("Bob signs up beside her") { _, bob, _ in
      try bob.opensTheApp()
      try bob.sees("Sign in", "bob@example.org")
      bob.presses("f2")
      try bob.sees("Open a new account")
      bob.types("four random words")
      bob.presses("enter")
      bob.types("four random words")
      bob.presses("enter")
      try bob.sees("Who are you?")
      bob.types("Bob Noyce")
      bob.presses("enter", "enter", "enter")
      try bob.sees("What should your responders know")
      bob.presses("tab")
      try bob.sees("How often will you check in?")
      bob.presses("ctrl+u")
      bob.types("7d")
      bob.presses("enter", "enter")
      try bob.sees("Who should be notified")
      bob.presses("enter", "enter", "enter")
      try bob.isAsked("Start without a responder?", andPresses: "y")
      try bob.sees("Next check-in")
    } remains: { ada, bob, _ in
      try bob.goes(to: .profile)
      try bob.sees("Bob Noyce", "bob@example.org")
      try ada.goes(to: .checkIn)
      try ada.sees("every 24h")
    },
  ]

  /// Each of the two on their own machine.
  static let joining = [
    Scene("Ada joins the server by an invitation, and adds a responder") { ada, _, world in
      let server = try #require(world.server)
      try ada.runs(
        "join", server.invite(), "--name", "Ada Lovelace", "--email", "ada@example.org",
        lines: "three random words")
      try ada.opensTheApp()
      try ada.goes(to: .profile)
      ada.presses("e")
      try ada.sees("Edit profile")
      ada.presses("tab")
      ada.types("+44 20 7183 8750")
      ada.presses("tab", "tab", "tab")
      ada.types("Penicillin allergy.")
      ada.presses("ctrl+s")
      try ada.seesNoMore("Edit profile")
      try ada.goes(to: .responders)
      ada.presses("a")
      try ada.sees("Add a contact")
      ada.types("Grace Hopper")
      ada.presses("tab")
      ada.types("grace@navy.example")
      ada.presses("ctrl+s")
      try ada.seesNoMore("Add a contact")
      try ada.goes(to: .checkIn)
      try ada.sees("All is well", "until tomorrow 08:0")
    } remains: { ada, _, _ in
      try ada.goes(to: .profile)
      try ada.sees("Ada Lovelace", "+44 20 7183 8750", "ada@example.org", "Penicillin allergy.")
      try ada.goes(to: .responders)
      try ada.sees("Grace Hopper", "grace@navy.example")
    },

    Scene("The server is away while Ada opens her app, and comes back") { ada, _, world in
      let server = try #require(world.server)
      try ada.goes(to: .checkIn)
      try ada.sees("All is well")
      try ada.losesTheApp()
      server.isKilled()
      try ada.opensTheApp()
      try ada.sees("As of today 08:0", "until tomorrow 08:0", "Server unreachable since")
      #expect(!ada.screen.contains("All is well") && !ada.screen.contains("watched by"))
      ada.presses("c")
      try ada.sees("Checked in at 08:0", "not received yet", "1 queued")
      try server.start()
      try ada.sees("All is well", "watched by 2")
      try ada.seesNoMore("not received yet")
      try ada.seesNoMore("Server unreachable")
    } remains: { ada, _, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("All is well")
    },

    Scene("Ada ends the session of a laptop that is out of her hands, from her other machine") {
      ada, _, world in
      let server = try #require(world.server)
      let laptop = try world.person("The laptop")
      try laptop.runs(
        "join", server.invite(), "--email", "ada@example.org", lines: "three random words")
      try laptop.opensTheApp()
      try laptop.goes(to: .responders)
      try laptop.sees("Grace Hopper", "grace@navy.example")
      let secrets = ["Ada Lovelace", "Grace Hopper", "grace@navy.example", "Penicillin"]
      for secret in secrets { #expect(try laptop.keeps(secret)) }
      try ada.goes(to: .profile)
      ada.presses("s")
      try ada.sees("End all other sessions")
      ada.presses("end", "up", "up", "enter")
      try ada.isAsked("Every other device is signed out at once.", andPresses: "y")
      // Wait for the result, since closing the sheet would cancel its request.
      try ada.seesNoMore("End all other sessions")
      try ada.closes("A session ends after 30 days")
      try laptop.sees("Sign in", "You have been signed out: the session expired or was ended")
      for secret in secrets {
        #expect(!laptop.screen.contains(secret))
        #expect(try !laptop.keeps(secret), "\(secret)")
      }
      try laptop.losesTheApp()
      #expect(try laptop.runsFailing("status").contains("No account is open on this machine"))
    } remains: { ada, _, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("All is well")
    },

    Scene("Ada invites Bob, who joins from another machine and responds for her at once") {
      ada, bob, _ in
      try ada.goes(to: .responders)
      ada.presses("i")
      try ada.sees("Invite someone to 127.0.0.1", "It works once")
      ada.presses("enter")
      try ada.sees("Your invitation", "Send this link to one person", "?http")
      let link = try ada.reads(/lifesignal:\/\/join\/\S+\?http/)
      try ada.closes("Your invitation")
      try ada.sees("Revoke: made", "your responder, until")
      try ada.closes("Invite someone to")
      try bob.runs(
        "join", link, "--name", "Bob Noyce", "--email", "bob@example.org",
        lines: "four random words")
      try ada.sees("Bob Noyce", "⚑ by their account")
      try bob.opensTheApp()
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
      bob.presses("enter")
      try bob.sees("last check-in", "+44 20 7183 8750", "Penicillin allergy.")
      try bob.closes("last check-in")
      try bob.goes(to: .checkIn)
      bob.presses("i")
      try bob.sees("How often")
      bob.types("7d")
      bob.presses("enter")
      try bob.isAsked("Change how often?", andPresses: "enter")
      try bob.sees("every 7d")
    } remains: { ada, bob, _ in
      try bob.goes(to: .profile)
      try bob.sees("Bob Noyce", "bob@example.org")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
      try ada.goes(to: .responders)
      try ada.sees("Bob Noyce", "⚑ by their account")
      try ada.goes(to: .alerts)
      try ada.sees("Bob Noyce joined with your invitation")
    },
  ]

  /// Neither was invited by the other.
  static let asking = [
    Scene("Ada asks Bob, by his code, to respond for her") { ada, bob, _ in
      try bob.goes(to: .responders)
      bob.presses("k")
      try bob.sees("Your code", "lifesignal://add/")
      let code = try bob.reads(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
      try bob.closes("Your code")

      try ada.goes(to: .responders)
      ada.presses("c")
      try ada.sees("Add by code")
      ada.types(code)
      ada.presses("enter")
      try ada.sees("Ask Bob Noyce?", "Nothing is shared")
      ada.presses("enter")
      try ada.sees("asked, has not answered yet")
    } remains: { ada, bob, _ in
      try ada.goes(to: .responders)
      try ada.sees("Bob Noyce", "asked, has not answered yet")
      try bob.goes(to: .dependents)
      try bob.sees("Ada Lovelace", "asks you to respond for them")
      #expect(!bob.screen.contains("Penicillin"))
    },

    Scene("Bob accepts, and sees how she is") { ada, bob, _ in
      try bob.goes(to: .dependents)
      bob.presses("enter")
      try bob.sees("a Accept")
      bob.presses("a")
      try bob.sees("last check-in", "+44 20 7183 8750", "Penicillin allergy.")
      try bob.closes("last check-in")
      try ada.sees("by their account")
    } remains: { ada, bob, _ in
      try ada.goes(to: .responders)
      try ada.sees("Bob Noyce", "⚑ by their account")
      try ada.goes(to: .alerts)
      try ada.sees("Bob Noyce accepted")
      try bob.goes(to: .dependents)
      try bob.sees("● Ada Lovelace")
    },
  ]

  static let becomingContacts = [
    Scene("Bob wants her to respond for him, too") { ada, bob, _ in
      try bob.goes(to: .dependents)
      bob.presses("enter")
      try bob.sees("r Roles")
      bob.presses("r")
      try bob.sees("Roles of Ada Lovelace", "you respond for them  (now)")
      bob.presses("down", "enter")
      try bob.isAsked("Change the roles?", andPresses: "enter")
      try bob.sees("responds for you, and you for them")
      try bob.closes("last check-in")
    } remains: { ada, bob, _ in
      try ada.goes(to: .dependents)
      try ada.sees("● Bob Noyce")
      try ada.goes(to: .alerts)
      try ada.sees("Bob Noyce's roles")
      try bob.goes(to: .responders)
      try bob.sees("Ada Lovelace", "⚑ by their account")
    },

    Scene("Bob asks her to check in") { ada, bob, world in
      try world.time.passes(minutes: 30)
      try bob.goes(to: .dependents)
      bob.presses("enter")
      try bob.sees("p Ping")
      bob.presses("p")
      try bob.isAsked("Ping Ada Lovelace?", andPresses: "enter")
      try bob.sees("your ping", ", open")
      try bob.closes("last check-in")
      try ada.sees("Bob Noyce asks you to check in.")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("Bob Noyce asks you to check in.", "g Answer")
      try bob.goes(to: .dependents)
      try bob.sees("↗ pinged")
    },

    Scene("She answers, which is a check-in") { ada, bob, _ in
      try ada.goes(to: .checkIn)
      ada.presses("g")
      try ada.sees("Answered and checked in.")
      try ada.seesNoMore("asks you to check in")
      try bob.seesNoMore("↗ pinged")
    } remains: { ada, bob, _ in
      try ada.goes(to: .checkIn)
      try ada.sees("ping answer")
      try bob.goes(to: .alerts)
      try bob.sees("Ada Lovelace answered your ping")
    },
  ]
}
