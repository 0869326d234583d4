// Why a property is violated: the reorderings it needs, and the way from what was seen back to what was missed.
import { h, panel } from "./dom.js";

/** The panel of the explanation; not there while there is none. */
export function whyPanel(walk, report) {
  const box = h("div", { class: "why scrolls" });
  const section = panel("Why", "why", { class: "grows", hidden: true }, box);
  walk.onChange((what) => {
    if (what === "run") walk.explain().catch(report);
    if (what === "at") return;
    const { why } = walk.run;
    section.hidden = !why;
    if (why) box.replaceChildren(...content(walk, why, report));
  });
  return section;
}

function content(walk, why, report) {
  const isThis = why.path.steps.join() === walk.run.path.steps.join();
  const state = { choice: walk.run.choice, path: why.path, at: why.path.steps.length };
  const other = h("p", {}, `This speaks of a like run of ${why.path.steps.length} steps that delays no operation needlessly. `, h("button", { onclick: () => walk.open(state).catch(report) }, "Show it"));
  return [
    ...why.sentences.map((sentence) => h("p", { class: "sentence" }, sentence)),
    why.story.length > 0 ? h("ol", { class: "story" }, why.story.map((sentence) => h("li", {}, sentence))) : null,
    isThis ? null : other,
  ].filter(Boolean);
}
