/// The state of the monitor's unit, as `systemctl show` reports it.
struct SystemdState: Equatable, Sendable {
  /// `loaded`, `not-found`, `masked`, `bad-setting` …
  var load = ""
  /// `active`, `activating`, `failed`, `inactive` …
  var active = ""
  /// `running`, `auto-restart` …
  var sub = ""
  /// `enabled`, `disabled` …; empty if there is no unit file.
  var file = ""
  /// The monitor's own status line.
  var status = ""
  var restarts = 0

  var isActive: Bool { active == "active" }
  var isEnabled: Bool { file == "enabled" }

  static let properties = [
    "LoadState", "ActiveState", "SubState", "UnitFileState", "StatusText", "NRestarts",
  ]

  init() {}

  /// - Parameter text: Lines of `name=value`.
  init(properties text: String) {
    for line in text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = String(line[line.index(after: sign)...])
      switch line[..<sign] {
      case "LoadState": load = value
      case "ActiveState": active = value
      case "SubState": sub = value
      case "UnitFileState": file = value
      case "StatusText": status = value
      case "NRestarts": restarts = Int(value) ?? 0
      default: break
      }
    }
  }

  /// `active (running), enabled: watching 1 account, 0 waiting`.
  var text: String {
    var text = active.isEmpty ? "not known" : "\(active) (\(sub))"
    if !file.isEmpty { text += ", \(file)" }
    if restarts > 0 { text += ", restarted \(restarts) time\(restarts == 1 ? "" : "s")" }
    return status.isEmpty ? text : "\(text): \(status)"
  }
}
