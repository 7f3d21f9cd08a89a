public import FoundationEssentials

/// Tells the time: `@Dependency(\.date) var date`, then `date.now`.
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Date

  /// Tells the time by a function.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// Always the same time.
  public static func constant(_ date: Date) -> Self { Self { date } }

  /// The time now.
  public var now: Date { generate() }

  /// The time now.
  public func callAsFunction() -> Date { generate() }
}

extension DependencyValues {
  /// Tells the time. In tests it has to be overridden.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  private enum DateKey: DependencyKey {
    static let liveValue = DateGenerator { Date() }
    static let testValue = DateGenerator(
      unimplemented("DependencyValues.date", placeholder: Date()))
  }
}
