// c-probe links this module too, and is built without the testing library.
#if canImport(Testing)
  package import Testing

  /// Checks that an operation throws an error and nothing else.
  package func expect<Failure: Error & Equatable, Value>(
    _ expected: Failure, sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () async throws(Failure) -> Value
  ) async {
    do throws(Failure) {
      let value = try await operation()
      Issue.record("expected \(expected), got \(value)", sourceLocation: sourceLocation)
    } catch {
      #expect(error == expected, sourceLocation: sourceLocation)
    }
  }
#endif
