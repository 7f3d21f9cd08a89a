import Domain
import Testing

@Suite struct NtfyTopicTests {
  @Test("ONB-4: a generated topic has 20 random characters, is accepted, and is recognized later")
  func generated() throws {
    let topic = NtfyTopic(random: (0..<20).map { UInt8($0 * 13 % 256) })
    #expect(topic.name == "lifesignal-ap4hw-bq5ix-cr6jy-ds7kz")
    #expect(topic.address == "https://ntfy.sh/\(topic.name)")
    #expect(topic.isGenerated && topic.isOnPublicServer)
    #expect(try Channel.Kind.ntfy.checkedAddress(topic.name) == topic.address)
    #expect(NtfyTopic(topic.address) == topic)
    // A standby's topic is an identity. A generated name is as good on another server.
    #expect(
      try #require(NtfyTopic("https://ntfy.sh/0f8fad5bd9cb469fa16570867728950e")).isGenerated)
    #expect(try #require(NtfyTopic("https://ntfy.example.org/\(topic.name)")).isGenerated)
  }

  @Test("Each of the 32 characters of a generated topic is equally likely")
  func evenly() {
    let names = (0...255).map { NtfyTopic(random: Array(repeating: UInt8($0), count: 20)).name }
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    #expect(counts.count == 32 && Set(counts.values) == [8])
    #expect(names.allSatisfy { !$0.dropFirst(11).contains(where: "lo01".contains) })
  }

  @Test(
    "CHK-8: a topic name that a person made up isn't taken for a generated topic",
    arguments: [
      "grace", "lifesignal", "lifesignal-grace", "lifesignal-apc4r-g8vj9-xm2qe",
      "lifesignal-apc4r-g8vj9-xm2qe-6ti7", "lifesignal-apc4r-g8vj9-xm2qe-6ti7w-apc4r",
      "lifesignal-apc4r-g8vj9-xm2qe-6tl7w", "LIFESIGNAL-apc4r-g8vj9-xm2qe-6ti7w",
      "lifesignal-apc4r-g8vj9-xm2qe-6TI7w", "lifesignal-apc4r--g8vj9-xm2qe-6ti7w",
      "x-lifesignal-apc4r-g8vj9-xm2qe-6ti7w", "0f8fad5bd9cb469fa16570867728950",
      "0F8FAD5BD9CB469FA16570867728950E", "zf8fad5bd9cb469fa16570867728950e",
    ])
  func thoughtOf(name: String) throws {
    #expect(try !#require(NtfyTopic("https://ntfy.sh/\(name)")).isGenerated)
  }

  @Test("A text without a topic, or a URL with a query, isn't an ntfy topic")
  func noTopic() {
    for address in ["https://ntfy.sh/", "https://ntfy.sh/a?b=c", "grace", "https://"] {
      #expect(NtfyTopic(address) == nil, "\(address)")
    }
  }

  @Test(
    "A guessable topic on ntfy.sh causes a warning, unless a token protects the topic",
    arguments: [
      ("grace", true), ("my-neighbours-topic", true), ("https://ntfy.sh/bob", true),
      ("https://ntfy.example.org/grace", false), ("k7qm2x4v9b3hdfwp", false),
    ])
  func doubt(address: String, isDoubted: Bool) {
    #expect((ChannelDraft(.ntfy, address).doubt != nil) == isDoubted)
    #expect(ChannelDraft(.ntfy, address, token: Secret("tk_1")).doubt == nil)
    let random = NtfyTopic(random: Array(repeating: 7, count: NtfyTopic.randomCount))
    #expect(ChannelDraft(.ntfy, random.name).doubt == nil)
  }
}
