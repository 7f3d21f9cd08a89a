public import Composable
public import FoundationEssentials

/// A source of the current time: `@Dependency(\.date) var date`, then `date.now`.
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Date

  /// Creates a generator from a function.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// Returns a generator that always gives the same time.
  public static func constant(_ date: Date) -> Self { Self { date } }

  /// The current time.
  public var now: Date { generate() }

  /// Returns the current time.
  public func callAsFunction() -> Date { generate() }
}

extension DependencyValues {
  /// The source of the current time. A test must override it.
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
