import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Processes
import SQLite
import System
import Terminal
import TerminalTesting
import TestSupport

/// Exercises libsodium with known results.
@MainActor func probeCryptography() async throws {
  // RFC 4231, test case 2.
  let code = MessageAuthentication.code(
    for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
  Report.check(
    code.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "HMAC: \(code.hexadecimal)")
  // BLAKE2b-256, by b2sum --length 256.
  let digest = SecureToken(text: "abc").digest
  Report.check(
    digest == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
    "BLAKE2b: \(digest)")
  let long = String(repeating: "LifeSignal ", count: 100_000)
  Report.check(UUID(derivedFrom: long) == UUID(derivedFrom: long), "a derived identity")
  Report.check(
    SecureRandom.bytes(64) != SecureRandom.bytes(64) && SecureToken() != SecureToken(),
    "random bytes")
  Report.check(SecureToken.webhookSecret.utf8.count == 50, "a webhook's secret")
  for text in ["", "x", String(long.prefix(4_000))] {
    let box = SecretBox(secret: "Jefe", for: "probe")
    let sealed = box.seal(text)
    let isOpen = box.open(sealed) == text && SecretBox().open(sealed) == nil
    Report.check(isOpen && box.open(String(sealed.dropLast(4))) == nil, "a box: \(sealed)")
  }
  for password in ["", "x", "ä👩‍🚀", String(long.prefix(4_000))] {
    let hash = try await PasswordHashing.minimal.hash(password)
    let isRight = try await PasswordHashing.minimal.matches(password, hash)
    let isWrong = try await PasswordHashing.minimal.matches(password + "y", hash)
    let duress = try await PasswordHashing.minimal.hash(password + "z", like: hash)
    let both = try await PasswordHashing.minimal.matches(password + "z", hash, or: duress)
    Report.check(both == (false, true), "a duress passphrase of \(password.utf8.count) bytes")
    Report.check(isRight && !isWrong, "a password of \(password.utf8.count) bytes: \(hash)")
  }
}

/// Exercises SQLite through the store.
@MainActor func probeStore() async throws {
  let folder = try TemporaryFolder()
  let folders = Folders(
    data: folder.path + "/data", config: folder.path + "/config", state: folder.path + "/state")
  let note = String(repeating: "a👩‍👩‍👧‍👦\u{301}", count: 900)
  let texts = (0..<40).map { String(repeating: "ä\u{0}“\($0)”", count: 1 << ($0 / 2)) }
  var clients = DependencyValues()
  try EmbeddedPlatform(folders: folders).install(in: &clients)
  _ = try await clients.authClient.createAccount(
    NewAccount(
      profile: Profile(name: "Ada", note: note, email: "ada@example.org"),
      responders: [ContactDraft(name: "Bob", email: "bob@example.org", roles: .responder)]))
  let drafts = CollectionPath.drafts
  for (number, text) in texts.enumerated() {
    try await clients.storageClient.setValue(["text": text], at: drafts.document("\(number)"))
  }
  // Read it as another process would.
  var others = DependencyValues()
  try EmbeddedPlatform(folders: folders).install(in: &others)
  let user = try await others.userClient.currentUser()
  Report.check(user.profile.note == note, "the note: \(user.profile.note.utf8.count) bytes")
  for (number, text) in texts.enumerated() {
    let found = try await others.storageClient.value(
      [String: String].self, at: drafts.document("\(number)"))
    Report.check(found == ["text": text], "document \(number) of \(text.utf8.count) bytes")
  }
  let names = ["Zoë", "ada", "Ånna", String(repeating: "ö", count: 5_000), "Bob", ""]
  let order = NameOrder(locale: "en_US")
  Report.check(names.map(order.key) == names.map(order.key), "the order of names")
}

/// Exercises child processes with pipes and in a terminal.
@MainActor func probePrograms() async throws {
  let input = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  let result = await Subprocess.run(
    "cat", ["-", "/dev/null"], variables: ["PROBE": "1"], input: input, outputLimit: 2_000_000,
    within: .seconds(60))
  Report.check(
    result.end == .exited(0) && result.output == input,
    "cat: \(result.end), \(result.output.count) bytes")
  let missing = await Subprocess.run("there is no such program", [], within: .seconds(60))
  Report.check(missing.end == .notFound, "no program: \(missing.end)")
  // Long texts live on the heap, where it shows if they are released too early.
  let folder = try TemporaryFolder()
  let words = (0..<200).map { String(repeating: "wörd\($0) ", count: 20) }
  let script = "printf %s \"$@\" \"$LAST\" && test ! -e /proc/self/fd/9"
  let launch = Launch(
    "/bin/sh", ["-c", script, "sh"] + words, environment: ["LAST=\(words[0])", "PATH=/bin"],
    directory: folder.path,
    files: [
      STDOUT_FILENO: .path("output", O_WRONLY | O_CREAT), STDERR_FILENO: .descriptor(STDOUT_FILENO),
    ], closesOtherFiles: true, group: .session)
  dup2(STDOUT_FILENO, 9)
  let status = Launch.wait(for: try launch.start())
  close(9)
  let written = try String(contentsOfFile: folder.path + "/output", encoding: .utf8)
  Report.check(
    status == 0 && written == words.joined() + words[0],
    "a launch: \(status), \(written.utf8.count)")
  let pty = try PTY(
    "/bin/sh", ["-c", "echo \"$PROBE\"; exit 7"], environment: ["PROBE": "seen"])
  try pty.wait(for: "seen")
  let exit = try pty.waitForExit()
  Report.check(exit == .exited(7), "a shell: \(exit)")
}

extension [UInt8] {
  fileprivate var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
