import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct ErrorLogFeatureTests {
  nonisolated static let entries: [LogEntry] = [
    entry("STORE_BUSY", .error, "CheckInClient.checkIn", minutes: 4),
    entry("CONTACT_EXISTS", .warning, "ContactsClient.add", minutes: 90),
    entry("EMAIL_INVALID", .info, "ContactsClient.update", minutes: 2_000),
  ]

  nonisolated static func entry(
    _ code: String, _ level: LogLevel, _ function: String, minutes: Int
  ) -> LogEntry {
    LogEntry(
      timestamp: Sample.now - .minutes(minutes), level: level, code: code, message: "",
      context: .init(function: function, file: "x.swift", line: 1))
  }

  @Test("The error log is read when it opens and again for each level")
  func levels() async {
    let store = TestStore(initialState: ErrorLogFeature.State()) {
      ErrorLogFeature()
    } withDependencies: {
      $0.errorLogger.entries = { level, _ in Self.entries.filter { $0.level >= level } }
    }
    await store.send(.appeared)
    await store.receive(.read(Self.entries)) { $0.entries = Self.entries }
    await store.send(.moved(ListPosition(selected: 1))) {
      $0.position = ListPosition(selected: 1)
    }
    await store.send(.levelButtonTapped) {
      $0.level = .warning
      $0.position = ListPosition(selected: 0)
    }
    await store.receive(.read(Array(Self.entries.prefix(2)))) {
      $0.entries = Array(Self.entries.prefix(2))
    }
    await store.send(.levelButtonTapped) { $0.level = .error }
    await store.receive(.read(Array(Self.entries.prefix(1)))) {
      $0.entries = Array(Self.entries.prefix(1))
    }
    await store.send(.levelButtonTapped) { $0.level = .info }
    await store.receive(.read(Self.entries)) { $0.entries = Self.entries }
  }

  @Test("The error log can switch to counts and back")
  func counting() async {
    let store = TestStore(initialState: ErrorLogFeature.State()) { ErrorLogFeature() }
    await store.send(.moved(ListPosition(selected: 1))) {
      $0.position = ListPosition(selected: 1)
    }
    await store.send(.countButtonTapped) {
      $0.isCounting = true
      $0.position = ListPosition(selected: 0)
    }
    await store.send(.countButtonTapped) { $0.isCounting = false }
  }

  @Test("Profile opens and closes the error log")
  func profile() async {
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      $0.errorLogger.entries = { _, _ in [] }
    }
    await store.send(.profile(.errorLogButtonTapped)) {
      $0[ErrorLogFeature.self] = ErrorLogFeature.State()
    }
    await store.receive(.sheet(ErrorLogFeature.self, .appeared))
    await store.receive(.sheet(ErrorLogFeature.self, .read([]))) {
      $0[ErrorLogFeature.self]?.entries = []
    }
    await store.send(.sheet(ErrorLogFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0[ErrorLogFeature.self] = nil }
  }
}
