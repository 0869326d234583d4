// The steps that are enabled in the state shown, to choose from.
import { h, panel, threadClass } from "./dom.js";

/** The panel of steps. */
export function stepsPanel(walk, report) {
  const list = h("ol", { class: "steps" });
  walk.onChange(() => list.replaceChildren(...items(walk, report)));
  return panel(walk.isLive ? "Next step" : "Enabled steps", "steps", {}, h("div", { class: "scrolls", style: "max-height: 30vh" }, list));
}

function items(walk, report) {
  const { frame, run } = walk;
  if (frame.enabled.length === 0) {
    const why = frame.threads.every((thread) => thread.mode === "ended") ? "all threads have ended" : "no thread can go on";
    return [h("li", { class: "note" }, `No step is enabled: ${why}.`)];
  }
  return [...beginnings(walk, report), ...frame.enabled.map((step, i) => h("li", {}, button(walk, run, step, i, report)))];
}

/** Where to begin, in the initial state, if there are several. */
function beginnings(walk, report) {
  const { initials, path, choice } = walk.run;
  if (walk.at > 0 || initials.length < 2 || !walk.isLive) return [];
  const change = (event) => walk.open({ choice, path: { initial: Number(event.target.value), steps: [], loop_start: null }, at: 0 }).catch(report);
  const options = initials.map((words, i) => h("option", { value: i, selected: i === path.initial }, `${i + 1}: ${words || "nothing is issued"}`));
  return [h("li", { class: "note", style: "padding: 0" }, h("label", {}, "Begin with ", h("select", { name: "initial", style: "max-width: 100%", onchange: change }, options)))];
}

function button(walk, run, step, position, report) {
  const isTaken = walk.frame.taken === position && walk.at < walk.last;
  const attributes = {
    class: `${threadClass(step.thread)} ${isTaken ? "taken" : ""}`,
    "data-position": position,
    disabled: !walk.isLive && !isTaken,
    title: walk.isLive || isTaken ? null : "run `lacuna explore` to take other steps",
    onclick: () => walk.take(position).catch(report),
  };
  const words = [...step.words, ...step.issues.map((text) => `issues ${text}`)].join(" · ");
  return h("button", attributes,
    position < 9 ? h("kbd", {}, String(position + 1)) : h("span"),
    h("span", {}, h("span", { class: "who" }, run.threads[step.thread]), " ", h("code", {}, step.text),
      step.place ? h("span", { class: "where" }, ` line ${step.place.line}`) : null),
    words ? h("span", { class: "more" }, words) : null,
    step.chosen ? h("span", { class: "more chosen" }, `chooses ${step.chosen}`) : null,
    step.overtakes.length > 0 ? h("span", { class: "overtakes" }, `overtakes ${step.overtakes.join(", ")}`) : null);
}
