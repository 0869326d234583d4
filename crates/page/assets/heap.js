// The heap as a graph: what leads to objects above them, references round them, each object always at the same place.
import { h, svg, panel, threadClass } from "./dom.js";
import { heapGrid, placeHeap, rootName, roundPath } from "./heap_layout.js";

const FIELDS_FROM = 26;
const FIELD_HEIGHT = 18;

/** The panel of the heap; not there for a protocol without objects. */
export function heapPanel(walk) {
  const picture = h("div", { class: "picture scrolls", tabindex: 0, "aria-label": "objects" });
  const legend = h("p", { class: "legend" });
  let grid = null;
  const update = () => {
    const { heap } = walk.frame;
    section.hidden = heap.objects.length === 0;
    picture.replaceChildren(...(grid ? [drawHeap(walk, heap, grid)] : []));
  };
  const measure = () => {
    if (!walk.run) return;
    grid = walk.frame.heap.objects.length > 0 ? heapGrid(walk.run.frames, walk.run.threads, picture.clientWidth || 360) : null;
    // Both look at all states of the run.
    legend.replaceChildren(...legendOf(walk.run));
    update();
  };
  const section = panel("Heap", "heap", {}, picture, legend);
  walk.onChange((what) => (what === "run" ? measure() : update()));
  let width = 0;
  new ResizeObserver(() => {
    if (picture.clientWidth === width) return;
    width = picture.clientWidth;
    measure();
  }).observe(picture);
  return section;
}

/** What the looks of objects mean, of those that the run has. */
function legendOf(run) {
  const objects = run.frames.flatMap((frame) => frame.heap.objects);
  const has = (test) => objects.some(test);
  const edges = run.frames.flatMap((frame) => frame.heap.edges);
  const roots = run.frames.flatMap((frame) => frame.heap.roots);
  const item = (look, words) => h("span", { class: "key-item" }, h("i", { class: `swatch ${look}` }), words);
  return [
    ...["white", "grey", "black"].filter((name) => has((object) => object.colour === name)).map((name) => item(name, name === "black" ? "black, marked" : name)),
    has((object) => !object.colour && object.is_reached) ? item("reached", "a root leads to it") : null,
    has((object) => !object.is_reached && !object.is_freed) ? item("unreached", "no root leads to it") : null,
    has((object) => object.is_freed) ? item("freed", "free") : null,
    roots.some((root) => root.kind === "collector") ? item("collector", "the collector's own, no root") : null,
    edges.some((edge) => edge.is_forwarding) ? item("forwarding", "forwarding pointer") : null,
  ].filter(Boolean);
}

/** The colour shown: the protocol's own, or whether the object is reached. */
function colourOf(object) {
  return object.colour ?? (object.is_reached ? "reached" : "unreached");
}

function drawHeap(walk, heap, grid) {
  const { boxes, roots, arrows, width, height } = placeHeap(grid, heap);
  const before = walk.before?.heap;
  return svg("svg", { class: "heap", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe(heap, walk.run.threads) },
    definitions(),
    heap.objects.map((object, i) => drawObject(object, before?.objects[i], boxes[i])),
    arrows.map(drawArrow),
    roots.map((place) => drawRoot(place, walk.run.threads)));
}

function definitions() {
  const head = (id, name) => svg("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
    svg("path", { d: "M 0 0.5 L 8 4 L 0 7.5 z", class: `arrow ${name}` }));
  const hatch = svg("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("line", { class: "hatch", x1: 0, y1: 0, x2: 0, y2: 7 }));
  return svg("defs", {}, head("arrow", ""), head("arrow-forwarding", "forwarding"), hatch);
}

function drawObject(object, before, { x, y, width, height }) {
  const rows = object.fields.map(([name, value], i) => {
    const top = y + FIELDS_FROM + i * FIELD_HEIGHT;
    const isChanged = before && before.fields[i][1] !== value;
    return svg("g", { "data-field": name, "data-value": value },
      isChanged ? svg("rect", { class: "changed", x: x + 4, y: top + 2, width: width - 8, height: FIELD_HEIGHT - 1, rx: 3 }) : null,
      svg("text", { class: "field-name", x: x + 10, y: top + 15 }, name),
      svg("text", { class: "value", x: x + width - 10, y: top + 15, "text-anchor": "end" }, value));
  });
  return svg("g", { class: `object ${object.is_freed ? "freed" : ""}`, "data-name": object.name, "data-colour": colourOf(object) },
    svg("rect", { class: "box", x, y, width, height, rx: 7 }),
    object.is_freed ? svg("rect", { class: "hatched", x, y, width, height, rx: 7 }) : null,
    object.colour && !object.is_freed ? svg("path", { class: "head", d: `M ${x + 1} ${y + 24} v -16 q 0 -7 7 -7 h ${width - 16} q 7 0 7 7 v 16 z` }) : null,
    svg("text", { class: "name", x: x + 10, y: y + 18 }, object.name),
    svg("text", { class: "kind", x: x + width - 10, y: y + 17, "text-anchor": "end" }, object.is_freed ? "free" : object.kind),
    rows);
}

function drawArrow({ edge, points }) {
  const name = edge.is_forwarding ? "forwarding" : "";
  return svg("path", { class: `edge ${name}`, d: roundPath(points), "marker-end": `url(#arrow${name ? "-forwarding" : ""})`, "data-from": edge.from, "data-to": edge.to });
}

function drawRoot({ root, x, y, width, height, isLowest }, threads) {
  const middle = x + width / 2;
  const words = { variable: "variable", register: "register", collector: "the collector's own: it keeps nothing alive" };
  const stem = `M ${middle} ${y + height} v 12`;
  return svg("g", { class: `root ${root.kind} ${root.thread === null ? "" : threadClass(root.thread)}`, "data-name": root.name },
    svg("title", {}, words[root.kind]),
    isLowest ? svg("path", { class: "edge from-root", d: stem, "marker-end": "url(#arrow)" }) : null,
    svg("rect", { x, y, width, height, rx: 10 }),
    svg("text", { x: middle, y: y + 14, "text-anchor": "middle" }, rootName(root, threads)));
}

/** The graph in words, for those who cannot see it. */
function describe(heap, threads) {
  const names = heap.objects.map((object) => object.name);
  const objects = heap.objects.map((object) => `${object.name} is ${object.is_freed ? "free" : colourOf(object)}, ${object.fields.map((field) => field.join(" ")).join(", ")}`);
  const edges = heap.edges.map((edge) => `${names[edge.from]} ${edge.is_forwarding ? "forwards" : "refers"} to ${names[edge.to]}`);
  const roots = heap.roots.map((root) => `${rootName(root, threads)} refers to ${names[root.to]}`);
  return [...objects, ...edges, ...roots].join("; ");
}
