public import Domain

/// An error that may come from the passphrase gate (CHK-3).
public protocol GatedError: AppError {
  /// Why the gate did not open; `nil` for another error.
  var gateError: GateError? { get }
  /// Whether the password is wrong or missing.
  var isWrongPassword: Bool { get }
}

extension GatedError {
  public var isWrongPassword: Bool { false }
}

extension AuthError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
  public var isWrongPassword: Bool { self == .invalidCredentials }
}

extension UserError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
  public var isWrongPassword: Bool { self == .invalidCredentials }
}

extension CheckInError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension ContactsError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension ChannelError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension AlertError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension PingError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension TransferError: GatedError {
  public var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}
