// The properties: which hold and which fail in the state shown.
import { h } from "./dom.js";

const PROPERTY_MARKS = { holds: "✓", fails: "✗", open: "◦", reached: "✓", unreached: "◦" };

const MEANINGS = {
  holds: "holds in this state",
  fails: "fails in this state",
  open: "this state does not decide it",
  reached: "reached on the way here",
  unreached: "not reached on the way here",
};

/** The bar of properties. */
export function propertiesBar(walk) {
  const list = h("ul", { class: "properties", "aria-label": "properties in this state" });
  walk.onChange(() => list.replaceChildren(...watched(walk), ...walk.frame.properties.map(chip)));
  return list;
}

function chip({ name, kind, now }) {
  const label = kind === "cover" ? `cover ${name}` : name;
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
