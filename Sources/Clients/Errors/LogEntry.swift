public import Domain
public import FoundationEssentials

/// How important a line of the log is.
public enum LogLevel: String, Codable, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error, critical

  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}

/// A line of the error log: the error, and where in the program it happened; or, if calls are
/// traced, a call that succeeded. It never contains a name, a phone number, a note, an address or any other value that an error carries.
public struct LogEntry: Codable, Equatable, Sendable {
  public var timestamp: Date
  public var level: LogLevel
  /// The error's stable identifier.
  public var code: String
  /// The error's name in the program, such as `ClientError.storage.busy`.
  public var message: String
  public var context: Context
  /// How the call went; `nil` in lines of older versions.
  public var call: Call?

  /// What is known of a call besides its error.
  public struct Call: Codable, Equatable, Sendable {
    public var milliseconds = 0
    /// How often its last request was sent again.
    public var retries = 0
    /// Its last request to a server, without the variable parts: `GET /v1/contacts/{id}`.
    public var endpoint: String?
    /// The status of the answer.
    public var status: Int?
    /// Why there was none.
    public var cause: String?

    public init(milliseconds: Int = 0) { self.milliseconds = milliseconds }
  }

  /// The operation that failed, and where it was called.
  public struct Context: Codable, Equatable, Sendable {
    public var function: String
    public var file: String
    public var line: Int

    public init(function: String, file: String, line: Int) {
      self.function = function
      self.file = file
      self.line = line
    }
  }

  public init(
    timestamp: Date, level: LogLevel, code: String, message: String, context: Context,
    call: Call? = nil
  ) {
    self.timestamp = timestamp
    self.level = level
    self.code = code
    self.message = message
    self.context = context
    self.call = call
  }

  /// Creates the line for a call that has succeeded.
  init(_ call: ClientCall, at timestamp: Date, context: Context) {
    self.init(
      timestamp: timestamp, level: .debug, code: "OK", message: "", context: context,
      call: call.details)
  }

  /// Creates the line for an error. Of the values that the error carries, only nested errors are
  /// read, for their names.
  public init(
    _ error: some AppError, at timestamp: Date, context: Context, call: Call? = nil
  ) {
    self.init(
      timestamp: timestamp, level: error.text.isCritical ? .critical : error.family.level,
      code: error.errorCode, message: Self.name(of: error), context: context, call: call)
  }

  private static func name(of error: any AppError) -> String {
    "\(type(of: error))\(cases(of: error))"
  }

  /// The names of the cases without the values they carry, such as `.storage.busy`.
  private static func cases(of error: any AppError) -> String {
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return "" }
    guard let (label, value) = mirror.children.first else { return ".\(error)" }
    return ".\(label ?? "")\((value as? any AppError).map(cases(of:)) ?? "")"
  }
}

extension LogEntry {
  /// The entry as a line of JSON, without a line break.
  public var jsonLine: String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads such a line; `nil` for one that was cut off or is not an entry.
  public init?(jsonLine: some StringProtocol) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let entry = try? decoder.decode(Self.self, from: Data(jsonLine.utf8)) else { return nil }
    self = entry
  }
}

extension ErrorFamily {
  /// The level of the family: a person's typing error is not a fault of the program.
  fileprivate var level: LogLevel {
    switch self {
    case .validation: .info
    case .domain: .warning
    case .infrastructure: .error
    }
  }
}
