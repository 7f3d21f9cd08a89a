import Clients
import Domain
import Foundation
import TestSupport
import Testing

@testable import Delivery

/// CHN-1: sendmail and desktop notifications, with fake programs.
@Suite(.timeLimit(.minutes(2)))
struct ProgramSenderTests {
  /// A temporary folder with a fake program.
  final class Program: Sendable {
    let folder: TemporaryFolder
    let path: String

    init(_ script: String) throws {
      folder = try TemporaryFolder()
      path = try folder.write(
        "#!/bin/sh\ncd '\(folder.path)'\n\(script)\n", to: "program", mode: 0o700)
    }

    /// The contents of a file that the program wrote.
    func said(_ name: String) throws -> String {
      try #require(folder.text(name))
    }
  }

  func mail(
    _ program: Program, from: String? = "monitor@example.org",
    to address: String = "bob@example.org",
    limit: Duration = .seconds(20)
  ) async -> DeliveryOutcome {
    await SendmailSender(
      settings: SendmailSettings(path: program.path, from: from), dateClient: .constant(start),
      limit: limit
    ).deliver(.ada(.alertOn, note: ".\n", to: address))
  }

  @Test("CHN-1: sendmail gets the envelope as arguments and the message on its input")
  func sendmail() async throws {
    let program = try Program(#"printf '%s\n' "$@" > arguments; cat > message"#)
    #expect(await mail(program) == .sent)
    #expect(try program.said("arguments") == "-i\n-f\nmonitor@example.org\n--\nbob@example.org\n")
    let message = try program.said("message")
    #expect(!message.contains("\r"))
    let parsed = try ParsedMail(Array(message.utf8))
    #expect(parsed.headers["Subject"] == "ALERT: Ada needs help")
    #expect(parsed.headers["To"] == "Bob <bob@example.org>")
    #expect(parsed.body.hasPrefix("Ada needs help."))
  }

  @Test("If no sender is set, sendmail gets the person's own address as the sender")
  func ownAddress() async throws {
    let program = try Program(#"printf '%s\n' "$@" > arguments"#)
    #expect(await mail(program, from: nil) == .sent)
    #expect(try program.said("arguments").contains("-f\nada@example.org\n"))
  }

  @Test("An address never becomes an option or a command of sendmail")
  func hostile() async throws {
    let program = try Program("touch called")
    for address in ["-bs@example.org;touch x", "a b", "$(touch x)@e.org", "a@b\n-X/tmp/log"] {
      let outcome = await mail(program, to: address)
      #expect(outcome.kind == .permanent || outcome.kind == .sent, "\(address)")
      #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/x"))
    }
  }

  @Test(
    "CHN-2: sendmail's exit code decides the outcome; only an unknown user (67) is final",
    arguments: [
      (0, OutcomeKind.sent), (64, .misconfigured), (65, .limited), (66, .misconfigured),
      (67, .permanent), (68, .retry), (69, .retry), (70, .retry), (71, .retry),
      (72, .misconfigured), (73, .retry), (74, .retry), (75, .retry), (76, .retry),
      (77, .accessRefused), (78, .misconfigured), (1, .retry), (127, .retry),
    ])
  func exitCode(code: Int, expected: OutcomeKind) async throws {
    let program = try Program("cat > /dev/null; echo 'no \u{1B}[31mluck' >&2; exit \(code)")
    let outcome = await mail(program)
    #expect(outcome.kind == expected, "\(outcome)")
    if let reason = outcome.reason { #expect(reason.hasSuffix("(\(code)): no  [31mluck")) }
  }

  @Test("A sendmail that hangs is killed with its children; the message counts as possibly sent")
  func tooLong() async throws {
    let program = try Program("sleep 600 & echo $! > child; echo $$ > parent; wait")
    #expect(await mail(program, limit: .milliseconds(500)).kind == .ambiguous)
    for name in ["parent", "child"] {
      let id = try #require(pid_t(try program.said(name).trimmingWhitespace()))
      // The parent has been reaped. Its child dies when the kernel gets to it and is then a zombie
      // of the process that adopted it. A child that lives on would run into the suite's time
      // limit.
      while let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        !stat.contains(") Z "), !stat.contains(") X ")
      {
        sched_yield()
      }
      #expect(kill(id, 0) != 0 || name == "child")
    }
  }

  @Test("A sendmail program has 10 minutes, as long as a mail server for its last answer")
  func patience() { #expect(SendmailSender.limit == .seconds(600)) }

  @Test("A process that sendmail leaves running isn't waited for")
  func daemon() async throws {
    let program = try Program("cat > /dev/null; sleep 600 & echo $! > child; exit 0")
    #expect(await mail(program) == .sent)
    kill(try #require(pid_t(try program.said("child").trimmingWhitespace())), SIGKILL)
  }

  @Test("A sendmail that fails, one that is killed and a missing one have different outcomes")
  func broken() async throws {
    #expect(await mail(try Program("exit 75")).kind == .retry)
    #expect(await mail(try Program("kill -9 $$")).kind == .ambiguous)
    let program = try Program("exit 0")
    try FileManager.default.removeItem(atPath: program.path)
    #expect(
      await mail(program)
        == .misconfigured(reason: "config.json5 names a sendmail that doesn't exist"))
  }

  @Test("A sendmail program inherits no password of ours and no ignored or blocked signals")
  func environment() async throws {
    setenv("LIFESIGNAL_TEST_SECRET", "hunter2", 1)
    defer { unsetenv("LIFESIGNAL_TEST_SECRET") }
    signal(SIGPIPE, SIG_IGN)
    let program = try Program(
      "cat > /dev/null; env > environment; grep Sig /proc/self/status > signals")
    #expect(await mail(program) == .sent)
    #expect(!(try program.said("environment").contains("hunter2")))
    let signals = try program.said("signals").split(separator: "\n")
    for name in ["SigBlk", "SigIgn"] {
      let line = try #require(signals.first { $0.hasPrefix(name) })
      let mask = try #require(UInt64(line.suffix(16), radix: 16))
      #expect(mask & (1 << UInt64(SIGPIPE - 1)) == 0 && mask & (1 << UInt64(SIGTERM - 1)) == 0)
    }
  }

  func notify(
    _ program: Program, _ delivery: ClaimedDelivery, limit: Duration = .seconds(20)
  ) async -> DeliveryOutcome {
    await DesktopSender(program: program.path, dateClient: .constant(start), limit: limit)
      .deliver(delivery)
  }

  @Test("CHN-1: a desktop notification of an alert is critical, and its text is escaped")
  func desktop() async throws {
    let program = try Program(#"printf '%s\n' "$@" > arguments"#)
    #expect(
      await notify(program, .ada(.alertOn, name: "-<b>A&a", channel: .desktop)) == .sent)
    let lines = try program.said("arguments").split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "--app-name=LifeSignal", "--urgency=critical", "--", "ALERT: -<b>A&a needs help",
      ])
    #expect(lines[4].hasPrefix("-&lt;b&gt;A&amp;a needs help."))
    #expect(await notify(program, .ada(.allClear, resolvedAt: start)) == .sent)
    #expect(try program.said("arguments").contains("--urgency=low"))
    #expect(await notify(program, .ada(.reminder(.minutes(30)))) == .sent)
    #expect(try program.said("arguments").contains("--urgency=normal"))
    #expect(await notify(program, .ada(.alertOn, kind: .drill)) == .sent)
    #expect(try program.said("arguments").contains("--urgency=normal"))
  }

  @Test("A desktop that shows nothing is retried; a missing notify-send is a settings error")
  func noDesktop() async throws {
    let failing = try Program("echo 'no bus' >&2; exit 1")
    #expect(
      await notify(failing, .ada(.alertOn))
        == .retry(reason: "the desktop shows nothing (1): no bus", after: nil))
    let hanging = try Program("exec sleep 600")
    #expect(await notify(hanging, .ada(.alertOn), limit: .milliseconds(300)).kind == .ambiguous)
    let missing = DesktopSender(program: "no-such-notify-send", dateClient: .constant(start))
    #expect(
      await missing.deliver(.ada(.alertOn))
        == .misconfigured(reason: "notify-send is not installed"))
  }
}
