import Domain
import Terminal

/// The names of a form's fields, in the order of Tab: an enumeration without values.
protocol FormKey: CaseIterable, Hashable, Codable, Sendable where AllCases == [Self] {}

/// What is typed and switched in a form, where the focus is, and what is wrong.
///
/// A feature keeps one in its state, hands it the ``FormAction``s of its view, and says what is right
/// in each field:
///
///     case .form(let action):
///       switch state.form.apply(action, validate: Self.validate) {
///       case .save: return save(state)
///       case .close: return .dismiss()
///       case nil: return .none
///       }
///
/// What is wrong with a field is said once it has been left, and not while it is being typed.
struct Form<Field: FormKey>: Equatable, Sendable {
  private var texts: [Field: TextInput]
  private var toggles: [Field: Bool]
  private var initialTexts: [Field: String]
  private let initialToggles: [Field: Bool]
  /// Fields that hold a suggestion, which typing replaces.
  var suggestions: Set<Field>

  /// The fields on screen, in the order of Tab.
  private(set) var shown: [Field] = Field.allCases
  /// The place in ``shown`` of the field that keys go to.
  private var focusIndex = 0
  /// The fields that have been left since they were last typed in, or were to be saved.
  var touched: Set<Field> = []
  /// What is wrong with the touched fields.
  var errors: [Field: ValidationError] = [:]
  /// What to ask about fields that are right, and yet likely not what is meant.
  var doubts: [Field: String] = [:]
  var isSaving = false
  /// Why the form could not be saved.
  var failure: ErrorText?
  /// The question whether to throw away what was typed is open.
  var isConfirmingDiscard = false

  /// A form with the focus on its first field.
  /// - Parameter suggestions: The fields whose text is replaced as soon as somebody types there.
  init(
    _ texts: [Field: TextInput], toggles: [Field: Bool] = [:], suggestions: Set<Field> = []
  ) {
    self.texts = texts
    self.toggles = toggles
    self.suggestions = suggestions
    initialTexts = texts.mapValues(\.text)
    initialToggles = toggles
  }

  /// The field that keys go to, one of those on screen.
  var focus: Field {
    get { shown[focusIndex] }
    set { focusIndex = shown.firstIndex(of: newValue) ?? focusIndex }
  }

  /// The text of a field; an empty one for a switch.
  subscript(field: Field) -> TextInput {
    get { texts[field] ?? TextInput() }
    set { texts[field] = newValue }
  }

  func isOn(_ field: Field) -> Bool { toggles[field] ?? false }

  /// Whether closing the form would lose something.
  var isChanged: Bool {
    toggles != initialToggles || texts.contains { $0.value.text != initialTexts[$0.key] }
  }

  /// Takes what is in the fields now for what was there at first: it was filled in, and not typed.
  mutating func markUnchanged() { initialTexts = texts.mapValues(\.text) }

  /// Shows these fields and no others, as a step of several does, with the focus on the first.
  mutating func show(_ fields: [Field]) {
    shown = fields
    focusIndex = 0
    moveFocus(to: fields[0])
  }
}

/// What a person does in a form.
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

/// What a form wants of its feature.
enum FormRequest: Equatable, Sendable {
  /// Every field is right: store them, and end with ``Form/saved()`` or ``Form/failed(_:)``.
  case save
  /// Nothing is lost by closing the form, or it may be.
  case close
}

extension Form {
  /// Throws what is wrong with a field.
  typealias Validation = (Form, Field) throws(ValidationError) -> Void

  /// Does what a person asked for.
  /// - Returns: what remains to be done by the feature; `nil` for nothing.
  mutating func apply(
    _ action: FormAction<Field>, validate: Validation
  ) -> FormRequest? {
    switch action {
    case .edited(let field, let edit):
      guard texts[field] != nil else { return nil }
      texts[field]?.apply(edit)
      touched.remove(field)
      check(validate)
    case .toggled(let field):
      guard let isOn = toggles[field] else { return nil }
      toggles[field] = !isOn
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
    case .closeButtonTapped:
      // What is being saved is not lost: closing waits for the answer.
      guard isChanged, !isSaving else { return .close }
      isConfirmingDiscard = true
    case .discardConfirmed:
      isConfirmingDiscard = false
      return .close
    case .discardCancelled: isConfirmingDiscard = false
    }
    return nil
  }

  /// Checks every field on screen, and puts the focus on the first that is wrong.
  mutating func isRight(_ validate: Validation) -> Bool {
    touched.formUnion(shown)
    check(validate)
    guard let wrong = shown.first(where: { errors[$0] != nil }) else { return true }
    moveFocus(to: wrong)
    return false
  }

  /// Asks about the fields that were left.
  mutating func showDoubts(_ doubt: (Field) -> String?) {
    doubts = [:]
    for field in shown where touched.contains(field) && errors[field] == nil {
      doubts[field] = doubt(field)
    }
  }

  /// Asks about every field before it is saved. What has been asked is not asked again: it is meant.
  /// - Returns: Whether there is something new to ask.
  mutating func raisesDoubts(_ doubt: (Field) -> String?) -> Bool {
    let asked = doubts
    showDoubts(doubt)
    guard let field = shown.first(where: { doubts[$0] != nil && doubts[$0] != asked[$0] }) else {
      return false
    }
    moveFocus(to: field)
    return true
  }

  /// What was asked for is stored.
  mutating func saved() { isSaving = false }

  /// Storing failed; what was typed stays.
  mutating func failed(_ error: ErrorText) {
    isSaving = false
    failure = error
  }

  /// Goes on to the next field, unless the one with the focus is wrong.
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

  /// The shown field that many places after the one with the focus, round and round.
  private func neighbor(_ distance: Int) -> Field {
    shown[(focusIndex + distance + shown.count) % shown.count]
  }

  /// What is wrong may depend on other fields, so that all touched ones are looked at again.
  private mutating func check(_ validate: Validation) {
    errors = [:]
    for field in touched {
      do throws(ValidationError) { try validate(self, field) } catch { errors[field] = error }
    }
  }
}
