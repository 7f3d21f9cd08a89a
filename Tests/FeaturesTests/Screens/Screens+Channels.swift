import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The screens of channels, and of someone who declined.
extension Screen {
  /// The person's channels.
  /// - Parameter sheet: The sheet above them.
  private static func channels(
    _ sheet: OpenSheet? = nil, muted: MutedTopics = MutedTopics(),
    _ change: (inout ChannelsFeature.State) -> Void = { _ in }
  ) -> AppFeature.State {
    let test = ChannelsFeatureTests.message(
      .channelTest(Sample.id(9)), .failed, error: "410 Gone")
    var overview = ChannelsFeatureTests.snapshot(
      last: [ChannelsFeatureTests.hook.id: test]
    ).channels
    overview.muted = muted
    return changing(signedIn { [overview] in $0.channels = overview }) {
      $0.main?.selectedTab = .profile
      var channels = ChannelsFeature.State(snapshot: $0.main!.snapshot)
      change(&channels)
      $0.main?[ChannelsFeature.self] = channels
      if let sheet { $0.main?.path.append(sheet) }
    }
  }

  /// Reminders muted on both channels, and the end of a pause on one.
  private static let muted: MutedTopics = {
    var muted = MutedTopics()
    muted[ChannelsFeatureTests.mail.id] = [.reminders]
    muted[ChannelsFeatureTests.hook.id] = [.reminders, .pauses]
    return muted
  }()

  static let channels: [Screen] = [
    Screen(name: "channels") { channels() },
    Screen(name: "channels-secret") {
      channels {
        $0.shown = NewChannel(channel: ChannelsFeatureTests.hook, secret: Secret("whsec_1"))
      }
    },
    Screen(name: "channels-form") {
      var form = ChannelFormFeature.State(of: nil)
      form.choose(.ntfy)
      return channels(OpenSheet(ChannelFormFeature.self, form))
    },
    Screen(name: "channels-service") {
      var form = ChannelFormFeature.State(of: nil, services: ChannelsFeatureTests.services)
      form.choose(.service)
      form.choose(ChannelsFeatureTests.services.first { $0.id == "telegram" }!)
      form.form[.first].apply(.insert("123456789"))
      form.form[.second].apply(.insert("110201543:AAHdq"))
      return channels(OpenSheet(ChannelFormFeature.self, form))
    },
    Screen(name: "channels-removal") {
      channels { $0.removing = ChannelsFeatureTests.hook }
    },
    Screen(name: "channels-log") {
      var log = ChannelLogFeature.State(of: ChannelsFeatureTests.hook)
      log.messages = [
        ChannelsFeatureTests.message(.channelTest(Sample.id(9)), .failed, error: "410 Gone"),
        ChannelsFeatureTests.message(.deadlinePassed, .sent),
      ]
      return channels(OpenSheet(ChannelLogFeature.self, log))
    },
    Screen(name: "channels-topics") {
      var topics = ChannelTopicsFeature.State(of: ChannelsFeatureTests.hook)
      topics.position.selected = 1
      return channels(OpenSheet(ChannelTopicsFeature.self, topics), muted: muted)
    },
    Screen(name: "channels-muted") { channels(muted: muted) },
    Screen(name: "profile-muted") {
      changing(channels(muted: muted)) { $0.main?[ChannelsFeature.self] = nil }
    },
    Screen(name: "contact-declined") {
      changing(
        signedIn {
          var grace = Sample.grace
          grace.declinedAt = Sample.now
          $0.contacts = [Sample.alan, grace]
        }
      ) { $0.main?.selectedTab = .responders }
    },
  ]
}
