/// A state that names the properties which controls set, so that their changes can be recorded.
///
/// ```swift
/// struct State: RecordableBindings, Equatable, Sendable {
///   static let bindableProperties = [BindableProperty("theme", \State.theme)]
///   var theme = Theme.dark
/// }
/// enum Action: BindableAction, Codable, Equatable, Sendable {
///   case binding(BindingAction<State>)
/// ```
public protocol RecordableBindings {
  /// The properties, each with a name of its own.
  static var bindableProperties: [BindableProperty<Self>] { get }
}

/// A property that controls set, and its name in recordings.
public struct BindableProperty<Root>: Sendable {
  let name: String
  let keyPath: any PartialKeyPath<Root> & Sendable
  let encode: @Sendable (any Sendable, inout any UnkeyedEncodingContainer) throws -> Void
  let decode: @Sendable (inout any UnkeyedDecodingContainer) throws -> BindingAction<Root>

  /// Names a property.
  public init<Value: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, Value> & Sendable
  ) {
    self.name = name
    self.keyPath = keyPath
    encode = { value, container in
      if let value = value as? Value { try container.encode(value) }
    }
    decode = { container in .set(keyPath, try container.decode(Value.self)) }
  }
}

extension BindingAction: Codable where Root: RecordableBindings {
  /// Encodes the name of the property and its new value.
  /// - Throws: An error if the state doesn't name the property, or the encoder's.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    guard let property = Root.bindableProperties.first(where: { $0.keyPath == keyPath }) else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: container.codingPath,
          debugDescription: "\(Root.self).bindableProperties lacks \(property)."))
    }
    try container.encode(property.name)
    try property.encode(value, &container)
  }

  /// Decodes a change.
  /// - Throws: An error if the state has no property of that name, or the decoder's.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let name = try container.decode(String.self)
    guard let property = Root.bindableProperties.first(where: { $0.name == name }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(Root.self) has no bindable property \(name).")
    }
    self = try property.decode(&container)
  }
}
