/// A channel as it was typed, before the store gives it an identity.
public struct ChannelDraft: Equatable, Codable, Sendable {
  public var kind: Channel.Kind
  public var address: String
  /// The access token of a protected ntfy topic, or a service's secrets as JSON. The store itself
  /// makes the key that signs a webhook (CHN-1).
  public var token: Secret<String>?

  public init(_ kind: Channel.Kind, _ address: String, token: Secret<String>? = nil) {
    self.kind = kind
    self.address = address
    self.token = token
  }

  /// Returns the draft as it is stored.
  ///
  /// - Throws: The errors of ``Channel/Kind/checkedAddress(_:)``, and
  ///   ``ValidationError/accessToken``.
  public func checked() throws(ValidationError) -> ChannelDraft {
    var draft = self
    draft.address = try kind.checkedAddress(address)
    draft.token = nil
    if kind == .ntfy, let text = token?.value.trimmingWhitespace(), !text.isEmpty {
      guard text.utf8.count <= 200, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .accessToken
      }
      draft.token = Secret(text)
    }
    if kind == .service { draft.token = token }
    return draft
  }

  /// Whether a message on both would arrive twice, ignoring case.
  public func hasSameAddress(as other: ChannelDraft) -> Bool {
    kind == other.kind && address.lowercased() == other.address.lowercased()
  }

  /// A question about an address that is valid but probably not what was meant, or `nil`.
  public var doubt: String? {
    switch kind {
    case .email: ProfileRules.doubt(aboutEmail: address.trimmingWhitespace())
    case .ntfy:
      token.map(\.value.isEmpty) ?? true
        ? (try? kind.checkedAddress(address)).flatMap(NtfyTopic.init)?.doubt : nil
    case .webhook, .desktop, .service: nil
    }
  }

  /// Returns a question about it as a channel of a responder, or `nil`.
  /// - Parameter own: The person's own channels. Nobody else would be notified there, and a silent
  ///   alert would show itself to the person forcing them.
  public func doubt(ofResponderTo own: [Channel]) -> String? {
    doubt(ofResponderTo: own.map { ChannelDraft($0.kind, $0.address) })
  }

  /// Returns a question about it as a channel of a responder, before the person's own ones are
  /// stored.
  public func doubt(ofResponderTo own: [ChannelDraft]) -> String? {
    var checked = self
    if let address = try? kind.checkedAddress(address) { checked.address = address }
    let isOwn = own.contains(where: checked.hasSameAddress)
    return isOwn ? "That is a channel of your own: nobody else would be notified there." : doubt
  }

  /// Whether this draft is for that channel; another spelling of the address makes another channel.
  public func isFor(_ channel: Channel) -> Bool {
    kind == channel.kind && address == channel.address
  }
}

extension ChannelDraft {
  /// Reads a channel from one word: `ada@example.org`, `https://example.org/hook`, `ntfy:topic`,
  /// `ntfy:https://ntfy.example.org/topic`, `desktop`, or a service and its fields: `telegram:123456789`.
  ///
  /// - Throws: ``ValidationError/email``, ``ValidationError/webAddress``,
  ///   ``ValidationError/topic`` or ``ValidationError/serviceField(_:)``.
  public init(parsing text: String) throws(ValidationError) {
    let text = text.trimmingWhitespace()
    let lowercased = text.lowercased()
    let draft =
      if lowercased == Channel.desktopAddress {
        ChannelDraft(.desktop, text)
      } else if lowercased.hasPrefix("ntfy:") {
        ChannelDraft(.ntfy, String(text.dropFirst("ntfy:".count)))
      } else if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") {
        ChannelDraft(.webhook, text)
      } else if let draft = try? ChannelDraft(.service, text).checked() {
        draft
      } else if text.contains("://") {
        throw .webAddress
      } else {
        ChannelDraft(.email, text)
      }
    self = try draft.checked()
  }
}

extension Channel {
  /// The channel as the one word that ``ChannelDraft/init(parsing:)`` reads.
  public var spelling: String { kind == .ntfy ? "ntfy:\(address)" : address }
}
