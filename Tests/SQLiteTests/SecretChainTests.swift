import Clients
import Domain
import FoundationEssentials
import Glibc
import System
import Testing

@testable import SQLite
@testable import Store

/// The sources of secrets, in order: systemd's credentials, the configured command, the desktop's
/// keyring, the file.
@Suite("Sources of secrets", .timeLimit(.minutes(2)))
struct SecretChainTests {
  private let place: Place
  private let name = KeychainClient.smtpPassword

  init() throws { place = try Place() }

  /// Writes a shell script and returns its path.
  private func program(_ name: String, _ script: String) throws -> String {
    let path = place.root + "/" + name
    try place.write(Array("#!/bin/sh\n\(script)\n".utf8), to: path)
    chmod(path, 0o700)
    return path
  }

  /// A fake keyring that keeps secrets in files and records its calls.
  private func keyring() throws -> Keyring {
    let folder = place.root + "/ring"
    mkdir(folder, 0o700)
    let script = """
      echo "$@" >> \(place.root)/calls
      word=$1; shift
      [ "$word" = store ] && shift
      [ "$1 $2 $3 $4 $5" = "application lifesignal store \(place.folders.data) name" ] || exit 9
      case $word in
        lookup) [ -e \(folder)/$6 ] || exit 1; cat \(folder)/$6 ;;
        store) cat > \(folder)/$6 ;;
        clear) rm \(folder)/$6 ;;
      esac
      """
    return Keyring(store: place.folders.data, program: try program("secret-tool", script))
  }

  private func opened(
    command: [String]? = nil, keyring: Keyring? = nil, credentials: String? = nil
  ) throws -> Opened {
    try place.open(
      credentials: credentials,
      secretCommand: { [name] in
        $0 == name ? command.flatMap(SecretCommand.init) : nil
      }, keyring: keyring)
  }

  @Test("A secret is taken from credentials, then the command, then the keyring, then the file")
  func order() async throws {
    let credentials = place.root + "/credentials"
    mkdir(credentials, 0o700)
    try place.write(Array("from systemd\n".utf8), to: credentials + "/" + name)
    let command = try program("pass", "echo from command")
    let ring = try keyring()
    try await ring.keep("from keyring", as: name)
    try await opened().keychain.set(name, "from file")

    func found(
      _ command: [String]?, _ keyring: Keyring?, _ credentials: String?
    ) async throws -> [String?] {
      let keychain = try opened(
        command: command, keyring: keyring, credentials: credentials
      ).keychain
      return [try await keychain.get(name), try await keychain.source(name)?.text]
    }
    #expect(
      try await found([command], ring, credentials)
        == ["from systemd", "systemd's credentials (\(credentials))"])
    #expect(
      try await found([command], ring, nil) == ["from command", "the command \(command)"])
    #expect(try await found(nil, ring, nil) == ["from keyring", "the desktop's keyring"])
    #expect(try await found(nil, nil, nil) == ["from file", place.folders.secrets])
  }

  @Test("Session tokens are kept only in the file, never in the keyring")
  func sessions() async throws {
    let keychain = try opened(keyring: keyring()).keychain
    for session in [KeychainClient.sessionToken, KeychainClient.sessionToken(of: "a@b")] {
      try await keychain.set(session, "token")
      #expect(try await keychain.get(session) == "token")
      #expect(try await keychain.source(session) == .file(path: place.folders.secrets))
      await #expect(throws: KeychainError.self) { try await keychain.keepInKeyring(session, "x") }
    }
    #expect(!place.exists(place.root + "/calls"))
  }

  // MARK: Command

  @Test(
    "A password command's secret is its one line, without the line break",
    arguments: [
      ("printf secret", "secret"), ("echo secret", "secret"), (#"printf 'secret\r\n'"#, "secret"),
      ("echo ' s p a c e '", " s p a c e "), (#"printf 'p/ä"$x\n'"#, #"p/ä"$x"#),
      ("echo secret; echo careless >&2", "secret"), ("cat; echo secret", "secret"),
      ("exec 2>&-; echo secret", "secret"),
    ])
  func commandOutput(script: String, secret: String) async throws {
    let store = try opened(command: [program("pass", script)])
    #expect(try await store.keychain.get(name) == secret)
  }

  @Test(
    "A password command that fails or prints no single line is refused; its output isn't shown",
    arguments: [
      ("exit 3", "failed with 3; run it in a terminal to see why"),
      ("echo hunter2; echo hunter2 >&2; exit 1", "failed with 1; run it in a terminal to see why"),
      ("true", "wrote nothing"), ("echo", "wrote nothing"),
      ("printf 'hunter2\\n\\n'", "wrote more than one line of text"),
      ("echo hunter2; echo user: ada", "wrote more than one line of text"),
      ("printf 'hun\\0ter2'", "wrote more than one line of text"),
      ("printf '\\033[31mhunter2'", "wrote more than one line of text"),
      ("printf 'hunter2\\377'", "did not write a text"),
      ("yes hunter2", "said more than a secret can hold"),
      ("kill -9 $$", "was killed"),
    ])
  func badCommand(script: String, reason: String) async throws {
    let path = try program("pass", script)
    let store = try opened(command: [path])
    // An older secret isn't used instead: a wrong password could lock the mail account.
    try await store.keychain.set(name, "older")
    do {
      let secret = try await store.keychain.get(name)
      Issue.record("it took \(secret ?? "nothing")")
    } catch {
      #expect(error == .unavailable("the command \(path) of config.json5 \(reason)"))
      #expect(!error.errorDescription.contains("hunter2"))
    }
  }

  @Test("A password command that must not run is an error; no older password is used instead")
  func refusedCommand() async throws {
    let refusal = KeychainError.unavailable("others can change config.json5")
    let keychain = try place.open(
      secretCommand: { [name] (asked: String) throws(KeychainError) in
        if asked == name { throw refusal }
        return nil
      }
    ).keychain
    try await keychain.set(name, "older")
    try await keychain.set("other", "secret")
    await #expect(throws: refusal) { try await keychain.get(name) }
    await #expect(throws: refusal) { try await keychain.source(name) }
    #expect(try await keychain.get("other") == "secret")
  }

  @Test("A password command that is missing or can't be run is reported")
  func missingProgram() async throws {
    let missing = place.root + "/nothing"
    let notOurs = place.root + "/plain"
    try place.write(Array("x".utf8), to: notOurs)
    for (path, reason) in [
      (missing, "is not there"), (notOurs, "could not be started: Permission denied"),
    ] {
      await #expect(
        throws: KeychainError.unavailable("the command \(path) of config.json5 \(reason)")
      ) { try await opened(command: [path]).keychain.get(name) }
    }
  }

  @Test("A password command that hangs is killed with the processes it started")
  func hangingCommand() async throws {
    let held = place.root + "/held"
    try #require(mkfifo(held, 0o600) == 0)
    let reader = open(held, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    let path = try program("pass", "sleep 1000 > \(held) & wait")
    let command = try #require(SecretCommand([path]))
    await #expect(throws: KeychainError.self) {
      try await SecretCommandRun(command: command, limit: .milliseconds(500)).secret()
    }
    // The pipe is closed once the last process has ended.
    var end = pollfd(fd: reader, events: 0, revents: 0)
    #expect(poll(&end, 1, 10_000) == 1)
    #expect(end.revents == Int16(POLLHUP))
  }

  @Test("A password command gets its arguments unchanged, and none of our LIFESIGNAL_ variables")
  func noShell() async throws {
    setenv("LIFESIGNAL_TEST_CHAIN", "hunter2", 1)
    defer { unsetenv("LIFESIGNAL_TEST_CHAIN") }
    let path = try program("pass", #"printf '%s|' "$@" "$LIFESIGNAL_TEST_CHAIN""#)
    let store = try opened(command: [path, "$HOME", "a b", ";rm", "`id`", "*"])
    #expect(try await store.keychain.get(name) == "$HOME|a b|;rm|`id`|*||")
  }

  // MARK: Keyring

  @Test("A secret goes to the keyring by standard input and is removed from the file")
  func keepInKeyring() async throws {
    let keychain = try opened(keyring: keyring()).keychain
    try await keychain.set(name, "old one")
    try await keychain.keepInKeyring(name, "hunter2")
    #expect(try await keychain.get(name) == "hunter2")
    #expect(try await opened().keychain.get(name) == nil)
    try await keychain.set(name, "in the file")
    #expect(try await keychain.source(name) == .file(path: place.folders.secrets))
    try await keychain.keepInKeyring(name, "hunter2")
    try await keychain.delete(name)
    #expect(try await keychain.get(name) == nil)
    let calls = try #require(place.bytes(place.root + "/calls"))
    #expect(!String(decoding: calls, as: UTF8.self).contains("hunter2"))
  }

  @Test("Without secret-tool secrets are kept in the file, and the error says what to install")
  func noProgram() async throws {
    let ring = Keyring(store: "x", program: place.root + "/nothing")
    let keychain = try opened(keyring: ring).keychain
    try await keychain.set(name, "in the file")
    #expect(try await keychain.get(name) == "in the file")
    try await keychain.delete(name)
    #expect(try await keychain.get(name) == nil)
    await #expect(
      throws: KeychainError.unavailable(
        "the desktop's keyring needs secret-tool (package libsecret-tools) and a session on the"
          + " desktop")
    ) { try await keychain.keepInKeyring(name, "x") }
  }

  @Test(
    "With a broken keyring a secret in the file is used; without one an error is reported",
    arguments: ["sleep 1000", "echo locked >&2; exit 1", "exit 70", "yes", #"printf '\377'"#])
  func brokenKeyring(script: String) async throws {
    let ring = Keyring(
      store: "x", program: try program("secret-tool", script), limit: .milliseconds(500))
    let keychain = try opened(keyring: ring).keychain
    await #expect(
      throws: KeychainError.unavailable(
        "the desktop's keyring does not answer; it may hold this secret")
    ) { try await keychain.get(name) }
    await #expect(
      throws: KeychainError.unavailable(
        "the desktop's keyring does not answer; the file was changed, but an older secret there"
          + " comes first")
    ) { try await keychain.set(name, "in the file") }
    #expect(try await keychain.get(name) == "in the file")
  }

  @Test("A keyring that hangs is queried only once")
  func muteKeyring() async throws {
    let ring = Keyring(
      store: "x", program: try program("secret-tool", "echo >> \(place.root)/calls; sleep 1000"),
      limit: .milliseconds(500))
    let keychain = try opened(keyring: ring).keychain
    try place.write(Array(#"{"smtp-password":"in the file"}"#.utf8), to: place.folders.secrets)
    for _ in 1...3 { #expect(try await keychain.get(name) == "in the file") }
    #expect(place.bytes(place.root + "/calls") == [0x0A])
  }

  @Test("The keyring is used only where there is a D-Bus session bus")
  func sessionBus() throws {
    #expect(Keyring(store: "x", environment: [:]) == nil)
    #expect(Keyring(store: "x", environment: ["DBUS_SESSION_BUS_ADDRESS": ""]) == nil)
    #expect(Keyring(store: "x", environment: ["XDG_RUNTIME_DIR": place.root]) == nil)
    #expect(Keyring(store: "x", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) != nil)
    try place.write([], to: place.root + "/bus")
    #expect(Keyring(store: "x", environment: ["XDG_RUNTIME_DIR": place.root]) != nil)
  }

  @Test(
    "gnome-keyring keeps, replaces and deletes a secret, for each store separately",
    .enabled(if: RealKeyring.isInstalled))
  func realKeyring() async throws {
    let real = try RealKeyring(home: place.root)
    let ring = Keyring(
      store: place.folders.data, variables: real.variables, limit: .seconds(20))
    let keychain = try opened(keyring: ring).keychain
    #expect(try await keychain.get(name) == nil)
    try await keychain.delete(name)
    try await keychain.keepInKeyring(name, "p/ä\"$ \\")
    #expect(try await keychain.get(name) == "p/ä\"$ \\")
    #expect(try await keychain.source(name) == .keyring)
    // Another store of the same person has its own secrets.
    let other = Keyring(store: "/elsewhere", variables: real.variables, limit: .seconds(20))
    #expect(try await other.secret(name) == nil)
    try await keychain.keepInKeyring(name, "new")
    #expect(try await keychain.get(name) == "new")
    try await keychain.delete(name)
    #expect(try await keychain.get(name) == nil)
  }
}

/// gnome-keyring on a separate session bus. Both are stopped when this is released.
private final class RealKeyring {
  static var isInstalled: Bool {
    ["secret-tool", "dbus-daemon", "gnome-keyring-daemon"].allSatisfy {
      access("/usr/bin/" + $0, X_OK) == 0
    }
  }

  let variables: [String: String]
  private let processes: [pid_t]

  init(home: String) throws {
    let bus = home + "/session-bus"
    // The daemon prints its address once it is ready; the keyring is unlocked with a password on
    // standard input.
    let script = """
      export HOME=\(home) XDG_RUNTIME_DIR=\(home) XDG_DATA_HOME=\(home)/share
      export DBUS_SESSION_BUS_ADDRESS=unix:path=\(bus)
      dbus-daemon --session --nofork --nopidfile --address=$DBUS_SESSION_BUS_ADDRESS \
        --print-address=3 3>\(home)/address >/dev/null 2>&1 </dev/null &
      echo $! > \(home)/pids
      while [ ! -s \(home)/address ]; do sleep 0.05; done
      printf password | gnome-keyring-daemon --foreground --unlock --components=secrets \
        >/dev/null 2>&1 &
      echo $! >> \(home)/pids
      until secret-tool search --all none none >/dev/null 2>&1; do sleep 0.1; done
      """
    let file = home + "/start-keyring"
    try Data(script.utf8).write(to: URL(filePath: file))
    let code = system("sh \(file)")
    try #require(code == 0)
    let pids = FileManager.default.contents(atPath: home + "/pids") ?? Data()
    processes = String(decoding: pids, as: UTF8.self).split(separator: "\n").compactMap {
      pid_t($0)
    }
    variables = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus)"]
  }

  deinit { for process in processes { kill(process, SIGKILL) } }
}
