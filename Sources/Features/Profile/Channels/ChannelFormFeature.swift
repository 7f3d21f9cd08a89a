import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The form for a new channel: its kind, its address, and the access token of a protected topic; or a service
/// and the fields that its file declares (CHN-4).
struct ChannelFormFeature: Reducer {
  enum Field: FormKey {
    case kind, address, token
    case service, first, second, third, fourth

    /// Those of a service, in the order in which it declares its own.
    static let ofService: [Field] = [.first, .second, .third, .fourth]
  }

  struct State: FormState {
    let contact: Contact.ID?
    /// What there is to choose from.
    let services: [Service]
    private(set) var service: Service?
    private(set) var kind = Channel.Kind.email
    /// The topic that is suggested; `nil` until it is made.
    private(set) var topic: NtfyTopic?
    var form: Form<Field>

    init(of contact: Contact.ID?, services: [Service] = []) {
      self.contact = contact
      self.services = services
      form = Form(
        [.address: TextInput(limit: 2_000), .token: TextInput(limit: 256, isSecure: true)]
          .merging(Field.ofService.map { ($0, TextInput(limit: 500)) }) { $1 })
      choose(.email)
      form.focus = .address
    }

    /// Shows the fields that a kind has.
    mutating func choose(_ kind: Channel.Kind) {
      self.kind = kind
      form.errors = [:]
      form.touched = []
      if kind == .service, let first = services.first { return choose(first) }
      form.show(kind.fields)
      suggestTopic()
    }

    /// Fills in a topic, which typing replaces.
    mutating func suggest(_ topic: NtfyTopic) {
      self.topic = topic
      suggestTopic()
    }

    private mutating func suggestTopic() {
      let text = form[.address].text
      if kind == .ntfy, let topic, text.isEmpty {
        form[.address] = TextInput(topic.name, limit: 2_000)
        form.suggestions = [.address]
      } else if kind != .ntfy, let topic, text == topic.name {
        form[.address] = TextInput(limit: 2_000)
        form.suggestions = []
      }
    }

    /// Shows what a service asks for, empty.
    mutating func choose(_ service: Service) {
      self.service = service
      form.errors = [:]
      form.touched = []
      for (field, declared) in zip(Field.ofService, service.fields) {
        form[field] = TextInput(limit: 500, isSecure: declared.isSecret)
      }
      form.show([.kind, .service] + Field.ofService.prefix(service.fields.count))
    }

    /// What a service's file declares of a field.
    func declared(_ field: Field) -> Service.Field? {
      guard let service, let index = Field.ofService.firstIndex(of: field) else { return nil }
      return service.fields.indices.contains(index) ? service.fields[index] : nil
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .kind, .service: break
      case .first, .second, .third, .fourth:
        _ = try declared(field)?.checked(form[field].text)
      case .address: _ = try kind.checkedAddress(form[.address].text)
      case .token: _ = try ChannelDraft(.ntfy, "topic", token: form[.token].secret).checked()
      }
    }

    var draft: ChannelDraft {
      if kind == .service, let service {
        let typed = zip(Field.ofService, service.fields).map { ($1.id, form[$0].text) }
        // What is not right is not saved.
        return (try? service.draft(Dictionary(uniqueKeysWithValues: typed)))
          ?? ChannelDraft(.service, "")
      }
      return ChannelDraft(
        kind, form[.address].text, token: kind == .ntfy ? form[.token].secret : nil)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case kindChosen(Channel.Kind)
    case serviceChosen(Service.ID)
    case topicMade(NtfyTopic)
