// The walk: which system, which way, which state of it is shown; and the only place that talks to the server.

/** A walk, live or out of a report. Tells its listeners what changed: "run" (all) or "at" (the state shown). */
export class Walk {
  constructor(run, isLive) {
    this.listeners = [];
    this.isLive = isLive;
    this.run = run;
    this.at = 0;
    this.asked = 0;
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  tell(what) {
    this.listeners.forEach((listener) => listener(what));
  }

  get frame() {
    return this.run.frames[this.at];
  }

  get before() {
    return this.at > 0 ? this.run.frames[this.at - 1] : null;
  }

  get last() {
    return this.run.frames.length - 1;
  }

  get state() {
    return { choice: this.run.choice, path: this.run.path, at: this.at };
  }

  /** Shows the state `at`. */
  go(at) {
    const to = Math.max(0, Math.min(at, this.last));
    if (to === this.at) return;
    this.at = to;
    this.tell("at");
  }

  /** Shows another run, such as one of a report. */
  show(run, at) {
    this.run = run;
    this.at = Math.min(at, run.frames.length - 1);
    this.tell("run");
  }

  /** Goes to a state of any system; states that are known already are not asked for again. */
  async open({ choice, path, at }) {
    const known = this.run && same(choice, this.run.choice) ? sharedStart(path, this.run) : 0;
    const asked = ++this.asked;
    const run = await ask("run", { choice, path, known });
    // Whoever asked later is answered; an answer that comes too late is not shown.
    if (asked !== this.asked) return;
    run.frames = [...(this.run?.frames.slice(0, known) ?? []), ...run.frames];
    if (known > 0) run.frames[known - 1] = { ...run.frames[known - 1], taken: path.steps[known - 1] ?? null };
    this.show(run, at);
  }

  /** Why the last state violates a property; asked for once, and reported as "why". */
  async explain() {
    const { run } = this;
    if (run.why !== null || !this.isLive || !(run.frames.at(-1).violated || isLoop(run.path))) return;
    const why = await ask("why", { choice: run.choice, path: run.path });
    if (this.run !== run) return;
    run.why = why;
    this.tell("why");
  }

  /** Takes the step at `position` from the state shown. */
  async take(position) {
    if (position >= this.frame.enabled.length) return;
    if (this.at < this.last && this.frame.taken === position) return this.go(this.at + 1);
    if (!this.isLive) return;
    const { initial, steps } = this.run.path;
    const path = { initial, steps: [...steps.slice(0, this.at), position], loop_start: null };
    await this.open({ choice: this.run.choice, path, at: this.at + 1 });
  }

  /** The way to the first state where `watch` is true, or to a violation if there is none. */
  seek(watch) {
    return ask("seek", { choice: { ...this.run.choice, watch } });
  }
}

/** Whether a way repeats forever. */
export function isLoop(path) {
  return path.loop_start !== null && path.loop_start !== undefined;
}

function same(one, other) {
  return ["variant", "scenario", "memory"].every((key) => one[key] === other[key]) && (one.watch ?? "") === (other.watch ?? "");
}

/** How many first states two ways share. */
function sharedStart(path, run) {
  if (path.initial !== run.path.initial) return 0;
  let n = 0;
  while (n < path.steps.length && n < run.path.steps.length && path.steps[n] === run.path.steps[n]) n += 1;
  return Math.min(n + 1, run.frames.length);
}

async function ask(what, request) {
  let answer;
  try {
    answer = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
  } catch {
    throw new Error("the server does not answer; is `lacuna explore` still running?");
  }
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error);
  return json;
}
