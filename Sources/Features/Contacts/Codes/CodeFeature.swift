import Clients
import Composable
import Domain
import Terminal

/// The person's own code, for others to add them by (QR-1).
struct CodeFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var code: AccountCode
    /// The QR code of ``code``; `nil` until it is drawn.
    var modules: [[Bool]]?
    var isConfirmingReset = false
    var isResetting = false
    /// Where a picture is to be saved, while that is being typed.
    var path: TextInput?
    /// What went well.
    var message: String?
    var failure: ErrorText?

    init(code: AccountCode) { self.code = code }

    fileprivate mutating func replace(_ code: AccountCode) {
      self.code = code
      modules = nil
      isResetting = false
    }

    fileprivate mutating func forgetOutcome() {
      message = nil
      failure = nil
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case drawn([[Bool]])
    case copyButtonTapped
    case saveButtonTapped
    case pathEdited(TextEdit)
    case pathConfirmed
    case pathCancelled
    case saved(path: String)
    case resetButtonTapped
    case resetCancelled
    case resetConfirmed
    case wasReset(AccountCode)
    case failed(ErrorText)
    case closeButtonTapped
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.clipboardClient) var clipboardClient
  @Dependency(\.qrCodeClient) var qrCodeClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return draw(state.code)

    case .drawn(let modules):
      state.modules = modules
      return .none

    case .copyButtonTapped:
      state.forgetOutcome()
      state.message = "Copied, if your terminal allows it."
      return .run { [clipboardClient, link = state.code.link] _ in
        await clipboardClient.copy(link)
      }

    case .saveButtonTapped:
      guard state.modules != nil else { return .none }
      state.forgetOutcome()
      state.path = TextInput("lifesignal-code.png", limit: 1_000)
      return .none

    case .pathEdited(let edit):
      state.path?.apply(edit)
      state.failure = nil
      return .none

    case .pathConfirmed:
      guard let path = state.path?.text, !path.isEmpty, let modules = state.modules else {
        return .none
      }
      return .run { [qrCodeClient] send in
        do throws(QRCodeError) {
          try await qrCodeClient.save(modules, path)
          await send(.saved(path: path))
        } catch {
          await send(.failed(error.text))
        }
      }

    case .pathCancelled:
      state.path = nil
      state.failure = nil
      return .none

    case .saved(let path):
      state.path = nil
      state.message = "Saved as \(path)."
      return .none

    case .resetButtonTapped:
      state.forgetOutcome()
      state.isConfirmingReset = true
      return .none

    case .resetCancelled:
      state.isConfirmingReset = false
      return .none

    case .resetConfirmed:
      guard !state.isResetting else { return .none }
      state.isConfirmingReset = false
      state.isResetting = true
      return .run { [contactsClient] send in
        do throws(ContactsError) {
          await send(.wasReset(try await contactsClient.resetCode()))
        } catch {
          await send(.failed(error.text))
        }
      }

    case .wasReset(let code):
      state.replace(code)
      state.message = "This is your new code. The old one is worth nothing now."
      return draw(code)

    case .failed(let error):
      state.isResetting = false
      state.failure = error
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }

  private func draw(_ code: AccountCode) -> Effect<Action> {
    .run { [qrCodeClient] send in
      do throws(QRCodeError) {
        await send(.drawn(try await qrCodeClient.modules(code.link)))
      } catch {
        await send(.failed(error.text))
      }
    }
  }
}
