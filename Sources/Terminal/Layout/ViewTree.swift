/// The tree of a frame: nodes to lay out and draw, and everything that handles events.
///
/// Views add themselves while they are built. The contents are private to the view system; a
/// program only passes the tree on. A tree is reused for every frame to keep its storage.
@MainActor
public final class ViewTree {
  let nodes = NodeArena()
  /// The addresses that text links to.
  let links: LinkTable
  @exclusivity(unchecked) var theme: Theme {
    didSet { lookGeneration += 1 }
  }
  /// Changes with the theme, and when the numbers of styles and glyphs in cells lose their meaning.
  @exclusivity(unchecked) var lookGeneration = 0
  /// What is kept of the lists and views that are built now.
  @exclusivity(unchecked) private var keptScope = KeptScope()
  /// How often something in the frame said that it moves, or had another effect that isn't in a list.
  @exclusivity(unchecked) private var otherEffectCount = 0
  /// The number of insides of boxes in the frame.
  @exclusivity(unchecked) private var panelCount = 0
  /// The number of responders that only reserve their place.
  @exclusivity(unchecked) private var markerCount = 0
  /// Whether there is a divider in the frame.
  @exclusivity(unchecked) private(set) var hasDividers = false
  /// The number of kept rows that were drawn.
  private var keptRowCount = 0
  /// Called with assertions if a row that is kept would be drawn differently.
  static var onKeptDifference: (String) -> Void = { assertionFailure($0) }
  /// Whether the user prefers reduced motion.
  var reducesMotion = false
  /// Whether the views are read aloud instead of shown.
  var isSpoken = false
  /// The size of a cell in pixels; `nil` if unknown.
  var cellPixels: Size?
  /// Whether the terminal supports clickable links.
  public internal(set) var showsLinks = false
  /// The size of the screen.
  @exclusivity(unchecked) private(set) var size = Size.zero

  /// The layers of the screen from the bottom up: the base, then sheets, dialogs and toasts in the
  /// order in which they were built.
  @exclusivity(unchecked) private(set) var layers: [Layer] = []
  /// The responders to keys, a linked list in the order in which they are asked. The first is a
  /// sentinel.
  @exclusivity(unchecked) private(set) var responders: [Responder] = []
  /// The regions that handle the mouse; later ones are above earlier ones.
  @exclusivity(unchecked) private(set) var regions: [HitRegion] = []
  /// The cursor positions requested by views while drawing.
  @exclusivity(unchecked) var cursorRequests: [CursorRequest] = []
  /// The layers whose keys are kept, because a view waits.
  @exclusivity(unchecked) var waitingLayers: [Int] = []
  /// Nodes that aren't dimmed below a sheet: the help bar, which lists the sheet's keys.
  @exclusivity(unchecked) var undimmedNodes: [NodeID] = []
  /// The name of the place that sheets are opened from, which starts the title of nested sheets.
  var sheetPathRoot: String?
  /// The window title set by a view.
  var windowTitle: String? {
    didSet { if windowTitle != nil { otherEffectCount += 1 } }
  }
  /// The time of the frame, or `nil` if nothing moves.
  @exclusivity(unchecked) var time: Duration?
  /// The time at which the frame is out of date because something in it moves.
  @exclusivity(unchecked) private(set) var nextFrameTime: Duration?
  /// When each work in progress that the frame shows was first shown, by its text.
  private var progressStarts: [String: Duration] = [:]
  /// The same for the frame before.
  private var lastProgressStarts: [String: Duration] = [:]

  /// The position for the next node while building, and what it inherits.
  ///
  /// Exempt from exclusivity checks, as are `placeClip`, the count of nodes and the lists of what a
  /// frame has besides cells: no access to them overlaps other code, and checking the thousands in each
  /// frame would take a tenth of its time.
  @exclusivity(unchecked) private var building = BuildContext()
  /// The visible area of the node being placed, while placing.
  @exclusivity(unchecked) private var placeClip = Rect.zero

  init(theme: Theme, links: LinkTable = LinkTable()) {
    self.theme = theme
    self.links = links
  }

  /// Builds, measures and places the tree of a view.
  func layOut(_ view: some View, size: Size) {
    self.size = size
    nodes.removeAll()
    layers.removeAll(keepingCapacity: true)
    responders.removeAll(keepingCapacity: true)
    regions.removeAll(keepingCapacity: true)
    cursorRequests.removeAll(keepingCapacity: true)
    waitingLayers.removeAll(keepingCapacity: true)
    undimmedNodes.removeAll(keepingCapacity: true)
    windowTitle = nil
    nextFrameTime = nil
    keptScope.begin()
    swap(&progressStarts, &lastProgressStarts)
    progressStarts.removeAll(keepingCapacity: true)
    sheetPathRoot = nil
    building = BuildContext(environment: initialEnvironment)
    responders.append(Responder(kind: .marker, layer: 0, owner: -1))
    (markerCount, panelCount) = (1, 0)
    hasDividers = false
    layers.append(Layer(root: 0, kind: .base))

    add(LayeredElement(alignment: .topLeading)) { view.build(in: self) }
    // Content that is built late can add layers while earlier ones are placed.
    var index = 0
    while index < layers.count {
      placeLayer(index)
      index += 1
    }
  }

  /// Returns how long some work in progress has been shown without a break, or `nil` if nothing moves.
  func progressTime(of text: String) -> Duration? {
    guard let time else { return nil }
    let start = lastProgressStarts[text] ?? progressStarts[text] ?? time
    progressStarts[text] = start
    return time - start
  }

  /// The number of everything so far that the frame has besides cells.
  var effectCount: Int {
    responders.count - markerCount + regions.count + layers.count + cursorRequests.count
      + waitingLayers.count + undimmedNodes.count + otherEffectCount
  }

  /// The same without the insides of boxes, which can be kept.
  var effectCountWithoutPanels: Int { effectCount - panelCount }

  /// Adds the inside of a box, which can be copied.
  func addPanel(_ rect: Rect, node: NodeID) {
    let count = regions.count
    addRegion(rect, node: node, .panel)
    panelCount += regions.count - count
  }

  /// Returns what was kept here in the last frame, or something new.
  func kept<Kept: AnyObject>(_ new: () -> Kept) -> Kept { keptScope.next(new) }

  /// Builds the one child of a node from a view that is kept, and what is kept of the views in it.
  func build(in kept: KeptDrawing, under node: NodeID, _ content: () -> Void) {
    let outer = keptScope
    kept.scope.begin()
    keptScope = kept.scope
    let parent = enter(node)
    addWrapping(TransparentElement(), content: content)
    leave(to: parent)
    keptScope = outer
  }

  /// What decides how the next view is drawn, apart from its size.
  var rowLook: RowLook {
    RowLook(environment: environment, size: .zero, isFocused: false, generation: lookGeneration)
  }

  /// Whether there is a divider below a node, which a box around it would join.
  func hasDivider(in node: NodeID) -> Bool {
    guard hasDividers else { return false }
    var isFound = false
    forEachChild(of: node) { child in
      if case .divider = nodes.element(of: child).pointee.role { isFound = true }
      isFound = isFound || hasDivider(in: child)
    }
    return isFound
  }

  /// Whether the next kept row is to be compared with how it would be drawn: every 61st, so that each of
  /// a list has its turn.
  var isCheckOfKeptRowsDue: Bool {
    keptRowCount &+= 1
    return keptRowCount % 61 == 0
  }

  /// Says that there is a divider, which a box around it may join.
  func noteDivider() { hasDividers = true }

  /// Says that what is built depends on the commands of the frame.
  func noteDependenceOnCommands() { otherEffectCount += 1 }

  /// Marks the frame as out of date after some time.
  func redraw(after delay: Duration) {
    otherEffectCount += 1
    guard let time else { return }
    nextFrameTime = min(nextFrameTime ?? time + delay, time + delay)
  }

  /// Draws the layers from the bottom up, with floating ones above sheets. Whatever is inactive
  /// because a sheet or dialog is above it is dimmed.
  func draw(on canvas: Canvas) {
    let top = layers.lastIndex { $0.kind == .modal } ?? 0
    let topSheet = layers.lastIndex { $0.title != nil } ?? 0
    for (index, layer) in layers.enumerated() where layer.kind != .floating {
      if layer.title != nil, index < topSheet { continue }
      if index == top, index > 0 {
        canvas.restyle(theme.faded)
        for node in undimmedNodes where nodes[node].pointee.layer < index { draw(node, on: canvas) }
      }
      draw(layer.root, on: canvas)
    }
    for layer in layers where layer.kind == .floating { draw(layer.root, on: canvas) }
  }
}

// MARK: - Building

// Functions that take a closure are inlined; otherwise each view would be copied into the closure
// that builds it.
extension ViewTree {
  /// The environment that the next view inherits.
  var environment: ViewEnvironment { building.environment }
  /// The layer that the next view belongs to.
  var layer: Int { building.layer }

  /// Adds a node whose children are those added by `content`.
  @inline(__always)
  @discardableResult
  func add(_ element: consuming any Element, content: () -> Void = {}) -> NodeID {
    let id = appendNode(element)
    let outer = enter(id)
    content()
    leave(to: outer)
    return id
  }

  /// Adds a node without children in a given style.
  func add(_ element: consuming any Element, style: Style) {
    _ = appendNode(element, style: style)
  }

  /// Adds a node with one child. If `content` adds several views, they are stacked vertically.
  @inline(__always)
  @discardableResult
  func addWrapping(_ element: consuming any Element, content: () -> Void) -> NodeID {
    let id = appendNode(element)
    let outer = enter(id)
    content()
    stackChildren(of: id)
    leave(to: outer)
    return id
  }

  /// Builds `content` with a changed environment.
  @inline(__always)
  func withEnvironment(_ change: (inout ViewEnvironment) -> Void, content: () -> Void) {
    let outer = environment
    // Change a copy: access that lasts while a closure runs would be checked for exclusivity at run
    // time.
    var inner = outer
    change(&inner)
    inherit(inner)
    content()
    inherit(outer)
  }

  private func inherit(_ environment: ViewEnvironment) { building.environment = environment }

  /// Makes a node the parent of subsequent nodes.
  /// - Returns: The previous parent, for `leave(to:)`.
  private func enter(_ node: NodeID) -> NodeID {
    let outer = building.parent
    building.parent = node
    return outer
  }

  private func leave(to parent: NodeID) { building.parent = parent }

  /// The axis of the stack being built, if any.
  var stackAxis: Axis? {
    guard building.parent >= 0 else { return nil }
    guard case .stack(let axis) = nodes.element(of: building.parent).pointee.role else {
      return nil
    }
    return axis
  }

  /// Starts a layer above all previous ones and fills it with `content`.
  /// - Parameter title: The title, for a sheet.
  func addLayer(_ kind: Layer.Kind, title: String? = nil, content: () -> Void) {
    let outer = building
    building = BuildContext(
      environment: initialEnvironment, layer: layers.count, responder: outer.responder)
    layers.append(Layer(root: nodes.count, kind: kind, title: title))
    addWrapping(LayeredElement(alignment: .center), content: content)
    let responder = building.responder
    building = outer
    building.responder = responder
  }

  /// The environment at the root of a layer.
  private var initialEnvironment: ViewEnvironment {
    var environment = ViewEnvironment(style: theme[.text])
    environment.reducesMotion = reducesMotion
    environment.isSpoken = isSpoken
    return environment
  }

  /// Adds a responder to keys that is active while a node is shown, after all previous ones.
  func addResponder(_ kind: Responder.Kind, owner: NodeID) {
    insertResponder(kind, layer: layer, owner: owner)
  }

  /// Adds a responder around `content`. If the content is just a sheet or dialog, it belongs to
  /// that.
  func addResponder(_ kind: Responder.Kind, around content: () -> Void) {
    let nodeCount = nodes.count
    let layerCount = layers.count
    let (parent, layer) = (building.parent, building.layer)
    let lastChild = parent >= 0 ? nodes[parent].pointee.lastChild : -1
    content()
    let isParentChanged = parent >= 0 && nodes[parent].pointee.lastChild != lastChild
    let isLayerOnly = !isParentChanged && nodes.count > nodeCount && layers.count > layerCount
    insertResponder(
      kind, layer: isLayerOnly ? layerCount : layer,
      owner: isParentChanged ? nodes[parent].pointee.lastChild : parent)
  }

  /// Returns what is needed to continue building here later, once a size is known.
  func captureContext() -> BuildContext {
    markerCount += 1
    insertResponder(.marker, layer: layer, owner: building.parent)
    return building
  }

  /// Builds children of an existing node.
  func build(under node: NodeID, _ context: BuildContext, content: () -> Void) {
    let outer = building
    building = context
    building.parent = node
    content()
    building = outer
  }

  private func insertResponder(_ kind: Responder.Kind, layer: Int, owner: NodeID) {
    let index = responders.count
    let previous = building.responder
    responders.append(
      Responder(kind: kind, layer: layer, owner: owner, next: responders[previous].next))
    responders[previous].next = index
    building.responder = index
  }

  /// - Parameter style: The style of the node; `nil` for the inherited one.
  private func appendNode(_ element: consuming any Element, style: Style? = nil) -> NodeID {
    let place = building
    let node = Node(
      style: style ?? place.environment.style, layer: place.layer, priority: element.priority)
    let id = nodes.append(node, element: element)
    guard place.parent >= 0 else { return id }
    let parent = nodes[place.parent]
    let last = parent.pointee.lastChild
    if last < 0 {
      parent.pointee.firstChild = id
    } else {
      nodes[last].pointee.nextSibling = id
    }
    parent.pointee.lastChild = id
    return id
  }

  /// Inserts a vertical stack between a node and its children if there are several.
  private func stackChildren(of id: NodeID) {
    let first = nodes[id].pointee.firstChild
    let last = nodes[id].pointee.lastChild
    guard first != last else { return }
    nodes[id].pointee.firstChild = -1
    nodes[id].pointee.lastChild = -1
    let stack = appendNode(StackElement(axis: .vertical, spacing: 0, alignment: .leading))
    nodes[stack].pointee.firstChild = first
    nodes[stack].pointee.lastChild = last
  }
}

// MARK: - Layout

extension ViewTree {
  func firstChild(of id: NodeID) -> NodeID? {
    let child = nodes[id].pointee.firstChild
    return child < 0 ? nil : child
  }

  func nextSibling(of id: NodeID) -> NodeID? {
    let sibling = nodes[id].pointee.nextSibling
    return sibling < 0 ? nil : sibling
  }

  func forEachChild(of id: NodeID, _ body: (NodeID) -> Void) {
    var child = nodes[id].pointee.firstChild
    while child >= 0 {
      let node = nodes[child]
      body(child)
      child = node.pointee.nextSibling
    }
  }

  /// Returns the size that a node takes. Recent results are cached.
  func measure(_ id: NodeID, _ proposal: Proposal) -> Size {
    let node = nodes[id]
    if let size = node.pointee.sizes[proposal] { return size }
    let size = nodes.element(of: id).pointee.measure(proposal, node: id, in: self)
    node.pointee.sizes.insert(size, for: proposal)
    return size
  }

  /// Returns the size of a node's first child, or zero if there is none.
  func measureChild(of id: NodeID, _ proposal: Proposal) -> Size {
    let child = nodes[id].pointee.firstChild
    return child < 0 ? .zero : measure(child, proposal)
  }

  /// Places a node and, through it, its children.
  func place(_ id: NodeID, in rect: Rect, proposal: Proposal) {
    let node = nodes[id]
    node.pointee.rect = rect
    node.pointee.isPlaced = true
    let outer = placeClip
    placeClip = outer.intersection(rect)
    nodes.element(of: id).pointee.place(in: rect, proposal: proposal, node: id, tree: self)
    placeClip = outer
  }

  /// Places a node whose regions are in the frame already.
  func placeWithoutRegions(_ id: NodeID, in rect: Rect, proposal: Proposal) {
    let outer = placeClip
    placeClip = .zero
    place(id, in: rect, proposal: proposal)
    placeClip = outer
  }

  func rect(of id: NodeID) -> Rect { nodes[id].pointee.rect }
  func style(of id: NodeID) -> Style { nodes[id].pointee.style }
  func isPlaced(_ id: NodeID) -> Bool { id < 0 || nodes[id].pointee.isPlaced }

  private func placeLayer(_ index: Int) {
    var screen = Rect(origin: .zero, size: size)
    if layers[index].kind == .modal, hasHelpBar(beneath: index) {
      screen = screen.inset(top: 0, leading: 0, bottom: 1, trailing: 0)
    }
    placeClip = screen
    place(layers[index].root, in: screen, proposal: Proposal(screen.size))
  }

  /// Whether the last line of the screen is a help bar, which stays visible.
  private func hasHelpBar(beneath layer: Int) -> Bool {
    undimmedNodes.contains { nodes[$0].pointee.layer < layer && rect(of: $0).maxRow == size.rows }
  }
}

// MARK: - Events and drawing

extension ViewTree {
  /// Adds a region for a node that handles the mouse.
  func addRegion(_ rect: Rect, node: NodeID, _ action: HitRegion.Action) {
    addRegion(rect, layer: nodes[node].pointee.layer, action)
  }

  /// Adds a region for a layer that handles the mouse.
  func addRegion(_ rect: Rect, layer: Int, _ action: HitRegion.Action) {
    let visible = rect.intersection(placeClip)
    guard !visible.isEmpty else { return }
    regions.append(HitRegion(rect: rect, visible: visible, layer: layer, action: action))
  }

  func draw(_ id: NodeID, on canvas: Canvas) {
    let node = nodes[id]
    guard node.pointee.isPlaced else { return }
    let inner = canvas.clipped(to: node.pointee.rect)
    guard !inner.clip.isEmpty else { return }
    nodes.element(of: id).pointee.draw(node: id, in: self, on: inner)
  }

  func drawChildren(of id: NodeID, on canvas: Canvas) {
    forEachChild(of: id) { draw($0, on: canvas) }
  }
}
