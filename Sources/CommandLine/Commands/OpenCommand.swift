import Domain
import Features

/// `lifesignal open`: opens the app at the place that a link names.
enum OpenCommand {
  static let declaration = CommandDeclaration(
    "open", "Open the app at a lifesignal:// link",
    discussion: [
      "A link with a person's code asks whether to add them as a contact. Nothing is sent"
        + " before you confirm."
    ]
  ) { syntax in
    let link = syntax.argument(
      "LINK",
      "lifesignal://add/CODE, lifesignal://contact/ID, lifesignal://profile or lifesignal://alerts"
    ) { text in
      if SharedCode.isServerLink(text) {
        throw InvalidValue(
          "That is an invitation to a server.",
          advice: "Use it with lifesignal join LINK --name NAME --email ADDRESS.")
      }
      guard let link = DeepLink(text) else {
        throw InvalidValue(
          "\(quoted(text)) isn't a LifeSignal link.", advice: "Paste the whole link.")
      }
      return link
    }
    let appearance = AppearanceOptions.declare(in: &syntax)
    return { arguments in
      AppCommand(
        appearance: try appearance(arguments), debugging: DebugOptions(), replacesDamaged: false,
        link: try arguments.required(link))
    }
  }
}
