import Domain
import Terminal

/// The fields of a form in tab order: an enumeration without associated values.
protocol FormKey: CaseIterable, Hashable, Codable, Sendable where AllCases == [Self] {}

/// The state of a form: texts, switches, focus and errors.
///
/// A feature keeps one in its state, passes it the ``FormAction``s of its view and validates its
/// fields:
///
///     case .form(let action):
///       switch state.form.apply(action, validate: Self.validate) {
///       case .save: return save(state)
///       case .close: return .dismiss()
///       case nil: return .none
///       }
///
/// An error shows once its field has been left, not while the person is typing.
struct Form<Field: FormKey>: Equatable, Sendable {
  private var texts: [Field: TextInput]
  private var toggles: [Field: Bool]
  private var initialTexts: [Field: String]
  private let initialToggles: [Field: Bool]
  /// The fields that hold a suggestion, which typing replaces.
  var suggestions: Set<Field>

  /// The fields on screen, in tab order.
  private(set) var shown: [Field] = Field.allCases
  /// The index in ``shown`` of the focused field.
  private var focusIndex = 0
  /// The fields that have been left or saved since the last edit.
  var touched: Set<Field> = []
  /// The errors in touched fields.
  var errors: [Field: ValidationError] = [:]
  /// Questions about fields that are valid but look like a mistake.
  var doubts: [Field: String] = [:]
  var isSaving = false
  /// Why the form could not be saved. It is dismissed by an edit, and by Esc, which closes the form
  /// only once there is none.
  var failure: ErrorText?
  /// Whether the form is asking if it should discard the changes.
  var isConfirmingDiscard = false

  /// A form with the focus on its first field.
  /// - Parameter suggestions: The fields whose text is replaced by the first key typed.
  init(
    _ texts: [Field: TextInput], toggles: [Field: Bool] = [:], suggestions: Set<Field> = []
  ) {
    self.texts = texts
    self.toggles = toggles
    self.suggestions = suggestions
    initialTexts = texts.mapValues(\.text)
    initialToggles = toggles
  }

  /// The focused field, one of those on screen.
  var focus: Field {
    get { shown[focusIndex] }
    set { focusIndex = shown.firstIndex(of: newValue) ?? focusIndex }
  }

  /// The text of a field, which is empty for a switch.
  subscript(field: Field) -> TextInput {
    get { texts[field] ?? TextInput() }
    set { texts[field] = newValue }
  }

  func isOn(_ field: Field) -> Bool { toggles[field] ?? false }

  /// Whether closing the form would lose changes.
  var isChanged: Bool {
    toggles != initialToggles || texts.contains { $0.value.text != initialTexts[$0.key] }
  }

  /// Makes the current texts the initial ones, because the app filled them in.
  mutating func markUnchanged() { initialTexts = texts.mapValues(\.text) }

  /// Shows only these fields, as each step of a wizard does, and focuses the first.
  mutating func show(_ fields: [Field]) {
    shown = fields
    focusIndex = 0
    moveFocus(to: fields[0])
  }
}

/// An input to a form.
enum FormAction<Field: FormKey>: Codable, Equatable, Sendable {
  case edited(Field, TextEdit)
  case toggled(Field)
  /// A click on a field.
  case focused(Field)
  case nextField
  case previousField
  case saveButtonTapped
  case closeButtonTapped
  case discardConfirmed
  case discardCancelled
}

/// A request from a form to its feature.
enum FormRequest: Equatable, Sendable {
  /// Every field is valid: save them, then call ``Form/saved()`` or ``Form/failed(_:)``.
  case save
  /// Close the form: nothing would be lost, or the person agreed to lose it.
  case close
}

extension Form {
  /// A closure that throws if a field is invalid.
  typealias Validation = (Form, Field) throws(ValidationError) -> Void

  /// Applies an action.
  /// - Returns: What the feature must do, or `nil` if nothing.
  mutating func apply(
    _ action: FormAction<Field>, validate: Validation
  ) -> FormRequest? {
    switch action {
    case .edited(let field, let edit):
      guard texts[field] != nil else { return nil }
      texts[field]?.apply(edit)
      failure = nil
      touched.remove(field)
      check(validate)
    case .toggled(let field):
      guard let isOn = toggles[field] else { return nil }
      toggles[field] = !isOn
      failure = nil
      touched.insert(field)
      check(validate)
    case .focused(let field):
      if shown.contains(field) { leave(for: field, validate) }
    case .nextField: leave(for: neighbor(1), validate)
    case .previousField: leave(for: neighbor(-1), validate)
    case .saveButtonTapped:
      guard !isSaving, isRight(validate) else { return nil }
      isSaving = true
      failure = nil
      return .save
    case .closeButtonTapped where failure != nil: failure = nil
    case .closeButtonTapped:
      // While saving, nothing can be lost: the feature decides when to close.
      guard isChanged, !isSaving else { return .close }
      isConfirmingDiscard = true
    case .discardConfirmed:
      isConfirmingDiscard = false
      return .close
    case .discardCancelled: isConfirmingDiscard = false
    }
    return nil
  }

  /// Validates every field on screen and focuses the first invalid one.
  mutating func isRight(_ validate: Validation) -> Bool {
    touched.formUnion(shown)
    check(validate)
    guard let wrong = shown.first(where: { errors[$0] != nil }) else { return true }
    moveFocus(to: wrong)
    return false
  }

  /// Updates the doubts about valid fields that have been touched.
  mutating func showDoubts(_ doubt: (Field) -> String?) {
    doubts = [:]
    for field in shown where touched.contains(field) && errors[field] == nil {
      doubts[field] = doubt(field)
    }
  }

  /// Updates the doubts before saving. A doubt that was already shown doesn't hold the form back
  /// again: the person means it.
  /// - Returns: Whether there is a new doubt, whose field is then focused.
  mutating func raisesDoubts(_ doubt: (Field) -> String?) -> Bool {
    let asked = doubts
    showDoubts(doubt)
    guard let field = shown.first(where: { doubts[$0] != nil && doubts[$0] != asked[$0] }) else {
      return false
    }
    moveFocus(to: field)
    return true
  }

  /// Notes that the form was saved.
  mutating func saved() { isSaving = false }

  /// Notes that saving failed. The texts stay.
  mutating func failed(_ error: ErrorText) {
    isSaving = false
    failure = error
  }

  /// Moves to the next field unless the focused one is invalid.
  mutating func advance(_ validate: Validation) {
    touched.insert(focus)
    check(validate)
    if errors[focus] == nil { moveFocus(to: neighbor(1)) }
  }

  private mutating func leave(for field: Field, _ validate: Validation) {
    touched.insert(focus)
    check(validate)
    moveFocus(to: field)
  }

  private mutating func moveFocus(to field: Field) {
    focus = field
    if suggestions.contains(field) { texts[field]?.apply(.selectAll) }
  }

  /// The shown field `distance` places after the focused one, wrapping around.
  private func neighbor(_ distance: Int) -> Field {
    shown[(focusIndex + distance + shown.count) % shown.count]
  }

  /// Validates all touched fields, since an error can depend on other fields.
  private mutating func check(_ validate: Validation) {
    errors = [:]
    for field in touched {
      do throws(ValidationError) { try validate(self, field) } catch { errors[field] = error }
    }
  }
}
