import FoundationEssentials
import Testing

@testable import Domain

@Suite("CHN-3 Topics of messages that can be muted")
struct TopicTests {
  private let mail = Channel(id: UUID(), kind: .email, address: "ada@example.org")
  private let desktop = Channel(id: UUID(), kind: .desktop, address: "desktop")

  /// Stages with a topic and without one.
  static let stages: [Stage] = [
    .reminder(.minutes(30)), .pauseEnds, .deadlinePassed, .noticedLate, .passwordReset,
    .nonResponsive, .nonResponsiveAgain(1), .alertOn, .alertOnAgain(1), .accountDeleted, .allClear,
    .alertOff, .acknowledged(UUID()), .contactAdded, .channelTest(UUID()),
    .passwordWasReset(UUID()), .addressCode, .addressReplaced, .addressTakenBack(UUID()),
    .responderNotice(UUID()), .requestWaits(UUID()), .serverRestored(UUID()), .alertNote(UUID()),
    .linkPressed, .lateSign, .unwatched, .withdrawn(UUID()), .reassurance(UUID()),
    .checkedIn(UUID()),
    .outingEnds(.minutes(30), Date(timeIntervalSince1970: 1_795_248_000)),
    .outingEnds(.zero, Date(timeIntervalSince1970: 1_795_248_000)),
    .outingNoticedLate(Date(timeIntervalSince1970: 1_795_248_000)),
  ]

  @Test("Only reminders and the end of a pause have a topic that can be muted")
  func topics() {
    #expect(
      Self.stages.filter { $0.topic != nil } == [
        .reminder(.minutes(30)), .pauseEnds,
        .outingEnds(.minutes(30), Date(timeIntervalSince1970: 1_795_248_000)),
      ])
    #expect(Set(Self.stages.compactMap(\.topic)) == Set(Topic.allCases))
  }

  @Test("A channel with every topic muted still gets every message without a topic")
  func alwaysTold() {
    var muted = MutedTopics()
    for topic in Topic.allCases { muted.set(topic, mail.id, isMuted: true) }
    for stage in Self.stages {
      #expect(muted.allows(stage, on: mail.id) == (stage.topic == nil), "\(stage)")
      #expect(muted.allows(stage, on: desktop.id), "\(stage)")
    }
  }

  @Test("No topic is muted by default, and muting and unmuting a topic leaves nothing behind")
  func defaults() {
    var muted = MutedTopics()
    #expect(muted.isEmpty && muted.allows(.pauseEnds, on: mail.id))
    muted.set(.pauses, mail.id, isMuted: true)
    muted.set(.pauses, mail.id, isMuted: true)
    #expect(!muted.allows(.pauseEnds, on: mail.id) && muted.allows(.pauseEnds, on: desktop.id))
    #expect(muted.allows(.reminder(.hours(1)), on: mail.id))
    muted.set(.pauses, mail.id, isMuted: false)
    #expect(muted == MutedTopics() && muted.channels.isEmpty)
  }

  @Test("A topic counts as muted everywhere if each channel mutes it and there is a channel")
  func nowhere() {
    var muted = MutedTopics()
    muted.set(.reminders, mail.id, isMuted: true)
    #expect(muted.mutedEverywhere(among: [mail, desktop]) == [])
    #expect(muted.mutedEverywhere(among: [mail]) == [.reminders])
    #expect(muted.mutedEverywhere(among: []) == [])
    muted.set(.reminders, desktop.id, isMuted: true)
    #expect(muted.mutedEverywhere(among: [mail, desktop]) == [.reminders])
  }

  @Test("Equal mute settings encode to equal bytes, and a topic of a later version is ignored")
  func coding() throws {
    var (one, other) = (MutedTopics(), MutedTopics())
    let switches = [
      (Topic.reminders, mail.id), (.pauses, mail.id), (.pauses, desktop.id),
    ]
    for (topic, channel) in switches { one.set(topic, channel, isMuted: true) }
    for (topic, channel) in switches.reversed() { other.set(topic, channel, isMuted: true) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(one) == encoder.encode(other))
    #expect(try JSONDecoder().decode(MutedTopics.self, from: encoder.encode(one)) == one)
    let later = #"[{"channel":"\#(mail.id.uuidString)","topics":["weather","pauses"]}]"#
    let read = try JSONDecoder().decode(MutedTopics.self, from: Data(later.utf8))
    #expect(read[mail.id] == [.pauses])
  }
}
