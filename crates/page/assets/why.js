// The verdict: which property is violated, and why: what of it failed, who waits, what the violation needs, and the story. All
// sentences are those of `lacuna explain`.
import { h } from "./dom.js";
import { isLoop } from "./walk.js";

/** The panel of the verdict; not there for a run that violates nothing. */
export function verdictPanel(walk, report) {
  const title = h("h2", { id: "why-title" });
  const box = h("div", { class: "sections" });
  const scrolls = h("div", { class: "scrolls", tabindex: 0, "aria-label": "explanation" }, box);
  const section = h("section", { id: "why", class: "panel verdict", "aria-labelledby": "why-title", hidden: true }, title, scrolls);
  walk.onChange((what) => {
    if (what === "at") return;
    if (what === "run") walk.explain().catch(report);
    const { why } = walk.run;
    const property = why?.property ?? walk.run.frames.at(-1).violated;
    section.hidden = !property;
    if (!property) return;
    title.replaceChildren(...headline(walk, property));
    box.replaceChildren(...(why ? sections(walk, why, report) : [h("p", { class: "note" }, walk.isLive ? "looking for the cause …" : "not explained")]));
    box.classList.toggle("two", box.children.length === 2);
  });
  return section;
}

function headline(walk, property) {
  const { path, choice } = walk.run;
  const when = path.steps.length === 0 ? "at the start" : !isLoop(path) ? `after step ${walk.last}`
    : path.loop_start < path.steps.length ? `in a run that repeats from step ${path.loop_start + 1} on` : `in a run that stays as it is after step ${walk.last}`;
  return [h("b", {}, `✗ ${property}`), ` is violated under ${choice.memory} ${when}`];
}

function sections(walk, why, report) {
  const isThis = why.path.steps.join() === walk.run.path.steps.join();
  const state = { choice: walk.run.choice, path: why.path, at: why.path.steps.length };
  const other = h("p", { class: "note" }, `This speaks of a like run of ${why.path.steps.length} steps that does nothing needless. `, h("button", { onclick: () => walk.open(state).catch(report) }, "Show it"));
  const section = (name, sentences) => (sentences.length === 0 ? null
    : h("section", { class: name }, h("h3", {}, name), sentences.map((sentence) => paragraph(walk, sentence, isThis))));
  return [
    isThis ? null : other,
    section("property", why.failed),
    section("waiting", why.waits),
    section("cause", why.sentences),
    section("story", why.story),
  ].filter(Boolean);
}

/** A sentence; those that belong to the one before are indented. Steps can be gone to, if they are those of the run shown. */
function paragraph(walk, sentence, isThis) {
  const part = (text) => {
    if (/^`.*`$/.test(text)) return h("code", {}, text.slice(1, -1));
    const step = /^step (\d+)$/.exec(text);
    return step && isThis ? h("a", { href: "#", onclick: (event) => goTo(walk, event, Number(step[1])) }, text) : text;
  };
  const parts = sentence.trim().split(/(`[^`]*`|\bstep \d+\b)/).filter(Boolean).map(part);
  return h("p", { class: sentence.startsWith(" ") ? "sentence more" : "sentence" }, parts);
}

function goTo(walk, event, step) {
  event.preventDefault();
  walk.go(step);
}
