import Domain
import Terminal

/// The fields of a form that has a switch for each role.
protocol RoleKey: FormKey {
  static var responder: Self { get }
  static var dependent: Self { get }
}

extension Form where Field: RoleKey {
  /// A form with the switches of the given roles on.
  init(_ texts: [Field: TextInput], roles: Roles) {
    self.init(
      texts,
      toggles: [
        .responder: roles.contains(.responder), .dependent: roles.contains(.dependent),
      ])
  }

  /// The roles that are switched on.
  var roles: Roles {
    var roles: Roles = []
    if isOn(.responder) { roles.insert(.responder) }
    if isOn(.dependent) { roles.insert(.dependent) }
    return roles
  }
}

extension FormFields where Field: RoleKey {
  /// The role switches and, beneath them, the error if none is on.
  @MainActor @ViewBuilder func roles(responder: String, dependent: String) -> some View {
    toggle(.responder, "Responder", responder)
    toggle(.dependent, "Dependent", dependent)
    if let error = form.errors[.responder] ?? form.errors[.dependent] {
      Text("! \(error.errorDescription)").foreground(.danger)
    }
  }
}
