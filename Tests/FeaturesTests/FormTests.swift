import Clients
import Domain
import Terminal
import Testing

@testable import Features

/// Behaviour common to all forms.
struct FormTests {
  enum Field: FormKey {
    case name, phone, note, isUrgent
  }

  /// Requires a name, and a phone number if it is urgent.
  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .name where form[.name].isEmpty: throw .nameLength(0)
    case .phone where form[.phone].isEmpty && form.isOn(.isUrgent): throw .phone
    default: break
    }
  }

  var form = Form<Field>(
    [.name: TextInput("Ada"), .phone: TextInput(), .note: TextInput("24h")],
    toggles: [.isUrgent: false], suggestions: [.note])

  @discardableResult
  mutating func send(_ actions: FormAction<Field>...) -> FormRequest? {
    var request: FormRequest?
    for action in actions { request = form.apply(action, validate: Self.validate) }
    return request
  }

  @Test("A field's error appears once the field is left and disappears while typing")
  mutating func errors() {
    send(.edited(.name, .kill(.lineStart)))
    #expect(form.errors.isEmpty)
    send(.nextField)
    #expect(form.errors == [.name: .nameLength(0)])
    #expect(form.focus == .phone)
    send(.previousField, .edited(.name, .insert("A")))
    #expect(form.errors.isEmpty)
    #expect(!form.touched.contains(.name))
  }

  @Test("The error of a field that was left follows the fields on which the field depends")
  mutating func dependentErrors() {
    send(.focused(.phone), .nextField)
    #expect(form.errors.isEmpty)
    send(.toggled(.isUrgent))
    #expect(form.errors == [.phone: .phone])
    send(.toggled(.isUrgent))
    #expect(form.errors.isEmpty)
  }

  @Test("Tab and Shift-Tab cycle through the visible fields; a hidden field gets no focus")
  mutating func focus() {
    send(.previousField)
    #expect(form.focus == .isUrgent)
    send(.nextField)
    #expect(form.focus == .name)
    form.show([.phone, .note])
    #expect(form.focus == .phone)
    send(.previousField, .nextField)
    #expect(form.focus == .phone)
    send(.focused(.name))
    #expect(form.focus == .phone)
  }

  @Test(
    "A form asks once before saving a doubtful value, until the value changes"
  )
  mutating func doubts() {
    func isAsked() -> Bool {
      let name = form[.name].text
      return form.raisesDoubts { $0 == .name && name == "Ada" ? "Only Ada?" : nil }
    }
    send(.nextField)
    let (isFirst, isSecond) = (isAsked(), isAsked())
    #expect(isFirst && !isSecond && form.focus == .name)
    #expect(form.doubts == [.name: "Only Ada?"])
    send(.edited(.name, .insert("m")))
    let isThird = isAsked()
    #expect(!isThird && form.doubts.isEmpty)
    send(.edited(.name, .delete(.left)))
    form.showDoubts { _ in "Sure?" }
    #expect(form.doubts.isEmpty, "Nothing was left.")
    send(.nextField)
    form.showDoubts { _ in "Sure?" }
    #expect(form.doubts == [.name: "Sure?"])
  }

  @Test("Typing replaces a suggested value")
  mutating func suggestion() {
    send(.focused(.note), .edited(.note, .insert("36h")))
    #expect(form[.note].text == "36h")
    #expect(form[.name].selection == nil)
  }

  @Test("Enter moves to the next field only if the current field is valid")
  mutating func advance() {
    send(.edited(.name, .kill(.lineStart)))
    form.advance(Self.validate)
    #expect(form.focus == .name)
    send(.edited(.name, .insert("Ada")))
    form.advance(Self.validate)
    #expect(form.focus == .phone)
  }

  @Test("A form is saved once if valid; otherwise the first invalid field gets the focus")
  mutating func save() {
    send(.toggled(.isUrgent), .focused(.isUrgent))
    #expect(send(.saveButtonTapped) == nil)
    #expect(form.focus == .phone)
    #expect(!form.isSaving)
    #expect(send(.edited(.phone, .insert("1")), .saveButtonTapped) == .save)
    #expect(form.isSaving)
    #expect(send(.saveButtonTapped) == nil)
    form.failed(StorageError.busy.text)
    #expect(!form.isSaving)
    #expect(form.failure == StorageError.busy.text)
    #expect(send(.saveButtonTapped) == .save)
    #expect(form.failure == nil)
  }

  @Test("Closing a form asks only if changes would be lost")
  mutating func close() {
    #expect(send(.closeButtonTapped) == .close)
    #expect(send(.toggled(.isUrgent), .closeButtonTapped) == nil)
    #expect(form.isConfirmingDiscard)
    send(.discardCancelled)
    #expect(!form.isConfirmingDiscard)
    #expect(send(.toggled(.isUrgent), .closeButtonTapped) == .close)
    #expect(send(.edited(.name, .insert("!")), .closeButtonTapped) == nil)
    #expect(send(.discardConfirmed) == .close && !form.isConfirmingDiscard)
  }

  @Test("Closing a form while its changes are being saved doesn't ask")
  mutating func closeWhileSaving() {
    #expect(send(.edited(.name, .insert("!")), .saveButtonTapped) == .save)
    #expect(send(.closeButtonTapped) == .close && !form.isConfirmingDiscard)
  }

  @Test func aSwitch_hasNoText_andATextNoSwitch() {
    var form = form
    #expect(form.apply(.edited(.isUrgent, .insert("x")), validate: Self.validate) == nil)
    #expect(form.apply(.toggled(.name), validate: Self.validate) == nil)
    #expect(!form.isChanged)
    #expect(!form.isOn(.name))
  }
}
