// The head of the page: what to look at, moves along the walk, search, keys.
import { h } from "./dom.js";

/** The head. `say` shows a message, `report` an error. */
export function controls(walk, start, say, report) {
  const help = helpDialog(walk.isLive);
  const title = h("h1", {}, start.title, h("small", {}, "Lacuna"));
  const search = walk.isLive ? searchForm(walk, say, report) : null;
  listenToKeys(walk, search, help, report);
  const ask = h("button", { onclick: () => help.showModal(), "aria-label": "keys and help" }, "?");
  return [title, walk.isLive ? choices(walk, start, report) : about(walk), settings(walk), moves(walk), ask, search?.form, help].filter(Boolean);
}

/** What may be chosen; another choice begins anew. */
function choices(walk, start, report) {
  const select = (name, options) => {
    const change = (event) => {
      const choice = { ...walk.run.choice, [name]: event.target.value, watch: null };
      walk.open({ choice, path: { initial: 0, steps: [], loop_start: null }, at: 0 }).catch(report);
    };
    if (options.length < 2) return null;
    const box = h("select", { name, onchange: change }, options.map(([value, title]) => h("option", { value, title }, value)));
    walk.onChange(() => (box.value = walk.run.choice[name]));
    return h("label", {}, name, box);
  };
  return h("div", { class: "choices" }, select("variant", start.variants), select("scenario", start.scenarios),
    select("memory", start.memories.map((name) => [name, null])));
}

/** Which run of a report is shown. */
function about(walk) {
  const text = h("span", { class: "choices" });
  walk.onChange(() => {
    const { variant, scenario, memory } = walk.run.choice;
    text.textContent = `${variant} · ${scenario} · ${memory}`;
  });
  return text;
}

/** The settings that are not the default. */
function settings(walk) {
  const text = h("span", { class: "settings code" });
  walk.onChange(() => (text.textContent = walk.run.scope.map((setting) => setting.join("=")).join(" ")));
  return text;
}

function moves(walk) {
  const button = (text, label, to) => h("button", { "aria-label": label, title: label, onclick: () => walk.go(to()) }, text);
  const buttons = [
    button("⇤", "first state (Home)", () => 0),
    button("←", "back (left arrow)", () => walk.at - 1),
    button("→", "forward (right arrow)", () => walk.at + 1),
    button("⇥", "last state (End)", () => walk.last),
  ];
  const place = h("output", { id: "place" });
  walk.onChange(() => {
    place.textContent = `step ${walk.at} of ${walk.last}`;
    buttons.slice(0, 2).forEach((b) => (b.disabled = walk.at === 0));
    buttons.slice(2).forEach((b) => (b.disabled = walk.at === walk.last));
  });
  return h("nav", { class: "moves", "aria-label": "walk" }, buttons[0], buttons[1], place, buttons[2], buttons[3]);
}

function searchForm(walk, say, report) {
  const input = h("input", { type: "search", id: "where", "aria-label": "first state where", placeholder: "first state where … root == to", spellcheck: "false", autocomplete: "off" });
  walk.onChange((what) => {
    if (what === "run" && document.activeElement !== input) input.value = walk.run.choice.watch ?? "";
  });
  const violation = () => seek(walk, null, say).catch(report);
  const submit = (event) => {
    event.preventDefault();
    seek(walk, input.value.trim() || null, say).catch(report);
  };
  const form = h("form", { class: "search", role: "search", onsubmit: submit }, input, h("button", { type: "submit" }, "Find"),
    h("button", { type: "button", id: "violation", onclick: violation, title: "a shortest way to a violation" }, "Find a violation"));
  return { form, input };
}

/** Looks for a state and goes there; the condition stays to be watched. */
async function seek(walk, watch, say) {
  const what = watch ? `state where ${watch}` : "violation";
  say(`looking for a ${what} …`);
  const found = await walk.seek(watch);
  if (!found.path) {
    const extent = found.is_complete ? `among all ${found.states} states` : `among the first ${found.states} states; the search stopped there`;
    say(`no ${what} ${extent}`);
    return;
  }
  const choice = { ...walk.run.choice, watch };
  await walk.open({ choice, path: found.path, at: found.path.steps.length });
  say(`the first ${what}: after ${found.path.steps.length} steps`);
}

function listenToKeys(walk, search, help, report) {
  const moves = { ArrowLeft: () => walk.at - 1, ArrowRight: () => walk.at + 1, ArrowUp: () => walk.at - 1, ArrowDown: () => walk.at + 1, j: () => walk.at + 1, k: () => walk.at - 1, Home: () => 0, End: () => walk.last };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (isTyping) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key in moves) walk.go(moves[event.key]());
    else if (/^[1-9]$/.test(event.key)) walk.take(Number(event.key) - 1).catch(report);
    else if (event.key === "/" && search) search.input.focus();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });
}

function helpDialog(isLive) {
  const keys = [
    ["← → k j", "back and forward along the walk"],
    ["Home End", "first and last state"],
    ...(isLive ? [["1 – 9", "take the enabled step of that number"], ["/", "search: a condition as in an invariant, such as to.data[0] == 1 or at(mutator[0], label)"]] : []),
    ["?", "this help"],
  ];
  const marks = [["●", "performed"], ["○ ◑", "issued, and performed later: something overtook it; the arc joins the two"], ["✗", "violates a property"]];
  const rows = [...keys.map(([key, text]) => [h("kbd", {}, key), text]), ...marks];
  const dialog = h("dialog", { "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Keys and marks"),
    h("dl", {}, rows.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)])),
    h("p", {}, isLive ? "The address of this page is the state that it shows: copy it to share it." : "All states are in this file; to take other steps, run lacuna explore."),
    h("form", { method: "dialog" }, h("button", {}, "Close")));
  return dialog;
}
