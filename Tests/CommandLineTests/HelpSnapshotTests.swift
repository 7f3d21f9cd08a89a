import Testing

@testable import CommandLine

/// Every help text, word for word.
struct HelpSnapshotTests {
  private func expect(
    _ words: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await World().expect(words, .init(0, text + "\n"), sourceLocation: sourceLocation)
  }

  @Test func app() async {
    await expect(
      "--help",
      #"""
      Check in, or somebody is told.

      Usage: lifesignal [OPTION]…
             lifesignal COMMAND [OPTION]…

      You promise to check in at least once per interval. If the deadline passes, or
      if you raise an alert, the people you named as responders are told.

      Without a command, the app opens. LifeSignal is no substitute for emergency
      services.

      Commands:
        init         Open your account without the screen
        sign-in      Sign in with your address and password
        sign-out     End your session here
        confirm      Confirm a new e-mail address, or take its change back
        check-in     Say that you are well: the deadline moves
        status       Show how much time is left
        pause        Expect no check-in for a while
        resume       End a pause by a check-in
        alert        Raise or cancel an alert
        ack          Take the code that a responder was sent
        drill        Rehearse an alert, and see whom it reaches
        contacts     List your responders and dependents, add and answer them
        channels     List, add, try and remove the ways to reach you or a contact
        decline      Take a contact who declines off those who are told
        ping         Ask somebody whom you respond for to check in
        documents    Keep files for your responders, and open those of others
        open         Open the app where a lifesignal:// link points
        monitor      Watch the deadlines and tell the responders
        standby      Say who watches if this computer is off
        doctor       Look whether everything is in order
        restore      Bring a backup of the store back
        keychain     Keep or delete a secret such as the mail password
        export       Write everything of your account into a file
        import       Take an export into this store
        demo         Try the app with made-up people; nothing is stored or sent
        replay       Go through a recording of the app and print its last state
        completions  Print what lets a shell complete the words of this program
        help         Explain a command

      Options:
        --plain           Talk in lines of text, for screen readers: no colours, no
                          boxes, no moving cursor
        --theme THEME     The colours: dark, light, high-contrast, mono or auto
                          (default: the one chosen in the app)
        --color DEPTH     How many colours: never, 16, 256, true or auto (default:
                          auto)
        --ascii           Draw with ASCII characters only
        --reduced-motion  Nothing moves by itself: nothing turns, slides, fills or
                          blinks
        --no-mouse        Leave the mouse to the terminal
        --no-alt-screen   Draw on the normal screen, so that the last picture stays
        --set-aside       Begin anew when the store is damaged or gone; what is left
                          of it is kept beside the new one
        --debug           Open the debug overlay at the start; F12 does it at any time
        --record FILE     Write down all that happens in a new file, for lifesignal
                          replay; what is typed into secure fields is left out
        --as EMAIL        Work for the account with this address (default: whoever
                          signed in last)
        -h, --help        Show this help
        --version         Show the version
      """#)
  }

  @Test func initialize() async {
    await expect(
      "init --help",
      #"""
      Open your account without the screen.

      Usage: lifesignal init --name NAME [OPTION]…

      The deadline starts running at once: the account is a check-in.

      Durations are written like 36h, 90m or 2d 12h.

      Options:
        --name NAME               Your name, 2 to 50 characters; required
        --interval DURATION       How often you will check in, 1h to 30d (default:
                                  24h)
        --phone NUMBER            Your phone number with its country code
        --note TEXT               What your responders should know in an emergency, up
                                  to 2000 characters
        --email ADDRESS           Where your own reminders are sent
        --reminder DURATION       How long before the deadline you are reminded
                                  (default: 30m); may be repeated
        --grace DURATION          How long after the deadline your responders are
                                  told, 0m to 24h (default: 15m)
        --repeat DURATION         How long until your responders are told again, 10m
                                  to 24h (default: 1h)
        --responder "NAME <ADDRESS>"
                                  Somebody who is told when you do not check in; may
                                  be repeated
        --set-aside               Begin anew when the store is damaged or gone; what
                                  is left of it is kept beside the new one
        --as EMAIL                Work for the account with this address (default:
                                  whoever signed in last)
        -h, --help                Show this help
        --version                 Show the version
      """#)
  }

  @Test func signIn() async {
    await expect(
      "sign-in --help",
      #"""
      Sign in with your address and password.

      Usage: lifesignal sign-in [EMAIL]

      The password is asked for, or read from standard input, and never from an
      argument.

      The session is kept in the file of secrets, and ends when it is not used for 30
      days. With --as it goes beside others, so that each command with the same --as
      works for that account.

      Arguments:
        [EMAIL]  The address of your account; that of --as where it is left out

      Options:
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version
      """#)
  }

  @Test func signOut() async {
    await expect(
      "sign-out --help",
      #"""
      End your session here.

      Usage: lifesignal sign-out

      Your deadline goes on running, and your responders are told if you miss it.

      Options:
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version
      """#)
  }

  @Test func checkIn() async {
    await expect(
      "check-in --help",
      #"""
      Say that you are well: the deadline moves.

      Usage: lifesignal check-in

      A late check-in sends the all-clear to every responder who had been told, and
      says within ten seconds whether it went out. An alert that was raised by hand
      stays on.

      Where a passphrase gate is set, the passphrase is asked for, or read from
      standard input.

      Options:
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        40  The passphrase that guards this is missing or wrong
      """#)
  }

  @Test func status() async {
    await expect(
      "status --help",
      #"""
      Show how much time is left.

      Usage: lifesignal status [OPTION]…

      The exit code tells a script the same.

      The JSON has the members name, status (ok, due_soon, overdue, non_responsive,
      alert or paused), last_check_in and deadline (RFC 3339, UTC), seconds_left
      (negative after the deadline), paused_until (RFC 3339, UTC, or null), responders
      (how many there are) and alert, which is null while none is on.

      The alert has the members kind (manual or missed), since (RFC 3339, UTC),
      message, messages (each with name, channel, state – sent, pending or failed –,
      at, which is when it was sent or is tried next, and error or null) and
      responding (each with name and since). Sent means that a server accepted the
      message, not that somebody read it.

      Options:
        --json      Print one line of JSON
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   All is well, or checking in is paused
        1   It failed; standard error says why
        2   The command line is wrong
        10  The deadline is near
        20  The deadline has passed
        30  An alert is on
      """#)
  }

  @Test func alert() async {
    await expect(
      "alert --help",
      #"""
      Raise or cancel an alert.

      Usage: lifesignal alert on|off [OPTION]…

      Where no monitor is running, one is started, because an alert that nobody sends
      helps nobody.

      The command waits up to ten seconds to say who has been told. It ends with 1
      when somebody has not been told by then; the monitor goes on trying.

      Where a passphrase gate is set, cancelling asks for the passphrase, or reads it
      from standard input.

      LifeSignal does not call the emergency services.

      Arguments:
        on   Tell every responder at once that you need help
        off  Cancel the alert, and tell every responder who had been told

      Options:
        --message TEXT  What happened and where you are, up to 500 characters; with on
        --as EMAIL      Work for the account with this address (default: whoever
                        signed in last)
        -h, --help      Show this help
        --version       Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        40  The passphrase that guards this is missing or wrong
        75  The store can't be written: the alert waits in a file for a monitor to
            send it
      """#)
  }

  @Test func ack() async {
    await expect(
      "ack --help",
      #"""
      Take the code that a responder was sent.

      Usage: lifesignal ack CODE

      Every call for help has a code for whom it was sent to. A responder who takes
      care tells it to whoever is at this machine, or types it here: then nobody is
      told again, and the other responders hear who takes care.

      The code from the word that somebody was named as a contact says that they do
      not want to be one.

      Nobody has to be signed in, and no passphrase is asked: the code says that its
      message arrived.

      Arguments:
        CODE  The code from the message, such as 7K3QF-9ZD2M

      Options:
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version
      """#)
  }

  @Test func drill() async {
    await expect(
      "drill --help",
      #"""
      Rehearse an alert, and see whom it reaches.

      Usage: lifesignal drill [OPTION]…

      Everybody who responds for you gets a message marked DRILL, and another when it
      is over. It ends by itself when everybody has been told. It is no alert: your
      status stays as it is. None begins while an alert is on, and an alert ends it.

      The command waits up to ten seconds. It ends with 0 only if everybody was told
      by then; the monitor goes on trying.

      Options:
        --end       End the drill that is on, and tell whoever was told
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        45  It is refused now: an alert is on
      """#)
  }

  @Test func contacts() async {
    await expect(
      "contacts --help",
      #"""
      List your responders and dependents, add and answer them.

      Usage: lifesignal contacts [list|add|accept|decline] [CODE|NAME] [OPTION]…

      Each line has the name, the roles, the channels and the phone number; what is
      not known is a dash. For another account how it stands is in the place of the
      channels. Scripts read the JSON.

      A contact in the JSON has the members id, name, roles (responder, dependent),
      email, phone, note, added_at (RFC 3339, UTC) and channels, an array of objects
      with kind and address. One with an account has also state (requested, offered,
      active, declined) and, where you respond for them, status, deadline and
      last_check_in.

      Arguments:
        list         List them, which happens without a word too
        add          Ask whoever has a code to be your contact; with a channel, add
                     whom you name
        accept       Accept what somebody asks
        decline      Decline what somebody asks
        [CODE|NAME]  Whom: a code or a new name to add, else a name or enough of its
                     beginning

      Options:
        --role ROLE      What they are to be: responder, dependent or both (default:
                         responder); with add
        --email ADDRESS  Tell them by e-mail; with add and a name
        --webhook URL    Tell them by a webhook; with add and a name
        --ntfy TOPIC     Tell them on a topic of ntfy; with add and a name
        --desktop        Tell them on the desktop of the monitor's machine; with add
                         and a name
        --image FILE     Read the code from a picture of it, PNG or JPEG; with add
        --json           Print one line of JSON, an array of contacts; with list
        --as EMAIL       Work for the account with this address (default: whoever
                         signed in last)
        -h, --help       Show this help
        --version        Show the version
      """#)
  }

  @Test func documents() async {
    await expect(
      "documents --help",
      #"""
      Keep files for your responders, and open those of others.

      Usage: lifesignal documents [list|add|remove|rename|get] [WHAT] [NAME] [OPTION]…

      You may keep up to 20 files of 10 MB each, such as a medical card or an
      itinerary. Those who respond for you and have an account here may open them:
      always, or only while an alert of yours is on.

      A file that is saved here replaces none: the new one gets a number.

      Arguments:
        list    List yours, or those of a contact; yours without a word too
        add     Add the file at a path
        remove  Remove the one with a name
        rename  Give the one with a name another one
        get     Save here what a contact keeps under a name
        [WHAT]  A path, a name or a contact; of the latter enough of the beginning
        [NAME]  The other name, or the name of the contact's document

      Options:
        --during-alert  Responders may open it only while an alert of yours is on;
                        with add
        --to DIR        The folder to save it in (default: your documents folder);
                        with get
        --as EMAIL      Work for the account with this address (default: whoever
                        signed in last)
        -h, --help      Show this help
        --version       Show the version
      """#)
  }

  @Test func ping() async {
    await expect(
      "ping --help",
      #"""
      Ask somebody whom you respond for to check in.

      Usage: lifesignal ping NAME [OPTION]…

      They see the ping at once, and you see when they answer. A ping that is not
      answered expires after 24 hours; until then there is no second one.

      Arguments:
        NAME  Whom: a name, or enough of its beginning

      Options:
        --withdraw  Take back the ping that is open
        --as EMAIL  Work for the account with this address (default: whoever signed in
                    last)
        -h, --help  Show this help
        --version   Show the version
      """#)
  }

  @Test func monitor() async {
    await expect(
      "monitor --help",
      #"""
      Watch the deadlines and tell the responders.

      Usage: lifesignal monitor [install|uninstall|status] [OPTION]…

      It runs until it is stopped, and should run on a machine that is always on. The
      app starts one by itself where none is running. Any number may run: no message
      is sent twice, but for one whose monitor is killed just after the mail server
      took it.

      lifesignal monitor install writes a unit for your own systemd and starts it:
      systemd starts it anew whenever it ends or hangs. A unit that somebody has
      changed is never overwritten.

      How to hand in mail stands in ~/.config/lifesignal/config.json5, for example {
      smtp: { host: "mail.example.org", username: "ada", from: "ada@example.org" } }.
      The password comes from LIFESIGNAL_SMTP_PASSWORD or from lifesignal keychain. A
      monitor reads the file again when it changes; while it is broken, what it said
      before holds.

      Arguments:
        install    Let your systemd run the monitor, now and at every login
        uninstall  Stop it, and remove what install wrote
        status     Say how the service fares; 0 when it runs, else 1

      Options:
        --once      Deliver what is due now, and end
        --detach    Start one that outlives the terminal, unless one is alive
        --system    With install: print a unit for the machine's systemd, which runs
                    it without a login
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        40  The passphrase that guards this is missing or wrong
      """#)
  }

  @Test func doctor() async {
    await expect(
      "doctor --help",
      #"""
      Look whether everything is in order.

      Usage: lifesignal doctor [OPTION]…

      One line for each thing: what was found, and what to do next. ✓ is well, !
      deserves a look, and with ✗ somebody might not be told.

      The JSON has the members ok and findings, each with check, mark (ok, warning or
      failure), found and advice (or null).

      Options:
        --json       Print one line of JSON
        --send-test  Send a test message to your own address, by the configured mail
                     server
        --as EMAIL   Work for the account with this address (default: whoever signed
                     in last)
        -h, --help   Show this help
        --version    Show the version

      Exit codes:
        0  Nothing endangers anybody
        1  Something has to be mended
        2  The command line is wrong
      """#)
  }

  @Test func restore() async {
    await expect(
      "restore --help",
      #"""
      Bring a backup of the store back.

      Usage: lifesignal restore [NAME] [OPTION]…

      A monitor copies the store once a day when it has changed, and keeps the last
      seven copies in ~/.local/share/lifesignal/backups.

      What is there now is moved aside, never deleted. Nothing else may use the store
      meanwhile: stop monitors and leave the app first. What happened since the backup
      is not in it: check in when it is back.

      Arguments:
        [NAME]  Which backup, as --list names it (default: the newest)

      Options:
        --list      Show the backups that there are
        --yes       Replace a store that is well without asking
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        40  The passphrase that guards this is missing or wrong
      """#)
  }

  @Test func keychain() async {
    await expect(
      "keychain --help",
      #"""
      Keep or delete a secret such as the mail password.

      Usage: lifesignal keychain set|delete NAME [OPTION]…

      The secret is one line. It is read without being shown, and never from an
      argument.

      It is kept in a file that only you may read. What systemd hands over as a
      credential, a command of config.json5 and the desktop's keyring come before the
      file.

      Arguments:
        set     Keep the secret that is typed, or piped into standard input
        delete  Forget it
        NAME    Which secret: smtp-password is the password of the mail account,
                error-log-token goes with the error log where that is sent

      Options:
        --keyring   Keep it in the desktop's keyring, which a monitor can read while
                    you are signed in; with set
        -h, --help  Show this help
        --version   Show the version

      Exit codes:
        0   Done
        1   It failed; standard error says why
        2   The command line is wrong
        40  The passphrase that guards this is missing or wrong
      """#)
  }

  @Test func demo() async {
    await expect(
      "demo --help",
      #"""
      Try the app with made-up people; nothing is stored or sent.

      Usage: lifesignal demo [OPTION]…

      A year of check-ins, and people around you, one for each way of standing. With +
      and - the time goes faster and slower, 0 stops it: at 600 a deadline passes
      while you watch, with its reminder, its grace time, and the word to the
      responders. Nothing has to be set up.

      Options:
        --speed N            Let the time go N times as fast, 1 to 10000 (default: 1);
                             + and - change it
        --frame SCREEN       Print a picture of a screen instead: check-in,
                             responders, dependents, alerts, profile, onboarding or
                             emergency
        --size COLUMNSxROWS  How large the picture is (default: 80x24)
        --format FORMAT      How the picture is written: text, ansi or svg (default:
                             text)
        --theme THEME        The colours: dark, light, high-contrast, mono or auto
                             (default: the one chosen in the app)
        --color DEPTH        How many colours: never, 16, 256, true or auto (default:
                             auto)
        --ascii              Draw with ASCII characters only
        --reduced-motion     Nothing moves by itself: nothing turns, slides, fills or
                             blinks
        --no-mouse           Leave the mouse to the terminal
        --no-alt-screen      Draw on the normal screen, so that the last picture stays
        --debug              Open the debug overlay at the start; F12 does it at any
                             time
        --record FILE        Write down all that happens in a new file, for lifesignal
                             replay; what is typed into secure fields is left out
        -h, --help           Show this help
        --version            Show the version
      """#)
  }

  @Test func replay() async {
    await expect(
      "replay --help",
      #"""
      Go through a recording of the app and print its last state.

      Usage: lifesignal replay FILE

      Make a recording with lifesignal --record FILE. It is replayed without the
      screen, the store and the network: the actions alone lead to the same state
      again.

      A recording holds what the screens showed: names, addresses and notes. Look
      through it before you pass it on.

      Arguments:
        FILE  A recording made with --record

      Options:
        -h, --help  Show this help
        --version   Show the version
      """#)
  }

  @Test func help() async {
    await expect(
      "help --help",
      #"""
      Explain a command.

      Usage: lifesignal help [COMMAND]

      Arguments:
        [COMMAND]  The command to explain

      Options:
        -h, --help  Show this help
        --version   Show the version
      """#)
  }
}
