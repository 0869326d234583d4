// The properties: which hold and which fail in the state shown. Those that fail come first; many are folded.
import { h } from "./dom.js";

const PROPERTY_MARKS = { holds: "✓", fails: "✗", open: "◦", reached: "✓", unreached: "◦" };

const MEANINGS = {
  holds: "holds in this state",
  fails: "fails in this state",
  open: "this state does not decide it",
  reached: "reached on the way here",
  unreached: "not reached on the way here",
};

/** So many that do not fail are shown unless one asks for all; on a phone only what fails. */
const SHOWN = 5;
const isPhone = matchMedia("(max-width: 720px)");

/** The bar of properties. */
export function propertiesBar(walk) {
  const list = h("ul", { class: "properties", "aria-label": "properties in this state" });
  let isOpen = false;
  const update = () => {
    if (!walk.run) return;
    const { properties } = walk.frame;
    const failing = properties.filter(({ now }) => now === "fails");
    const others = properties.filter(({ now }) => now !== "fails");
    const shown = isPhone.matches ? 0 : SHOWN;
    const isFolded = others.length > shown + 1 && !isOpen;
    const toggle = () => {
      isOpen = !isOpen;
      update();
    };
    const rest = isFolded ? others.slice(shown) : [];
    const button = others.length <= shown + 1 ? null
      : h("li", {}, h("button", { class: "fold", "aria-expanded": String(isOpen), onclick: toggle }, isFolded ? `${rest.length} more: ${count(rest)}` : "fewer"));
    const chips = [...failing, ...(isFolded ? others.slice(0, shown) : others)].map(chip);
    list.replaceChildren(...[...watched(walk), ...chips, button].filter(Boolean));
  };
  walk.onChange(update);
  isPhone.addEventListener("change", update);
  return list;
}

/** How many of each kind: `12 hold, 3 open`. */
function count(properties) {
  const words = { holds: "hold", open: "open", reached: "reached", unreached: "not reached" };
  const of = (now) => properties.filter((property) => property.now === now).length;
  return Object.entries(words).filter(([now]) => of(now) > 0).map(([now, word]) => `${of(now)} ${word}`).join(", ");
}

function chip({ name, kind, now }) {
  const label = ["cover", "forbid", "ltl"].includes(kind) ? `${kind} ${name}` : name;
  return h("li", { class: "chip", "data-now": now, "data-name": name, "data-mark": PROPERTY_MARKS[now], title: `${kind}: ${MEANINGS[now]}` },
    label, now === "fails" ? " fails here" : "", h("span", { class: "hidden" }, `: ${MEANINGS[now]}`));
}

function watched(walk) {
  const { watch } = walk.run.choice;
  if (!watch) return [];
  const now = walk.frame.watch;
  const word = now === null ? "has no value yet" : now ? "is true" : "is false";
  return [h("li", { class: "chip watch", "data-now": now ? "holds" : "open", "data-mark": now ? "✓" : "◦", "data-watch": String(now) }, h("code", {}, watch), ` ${word}`)];
}
