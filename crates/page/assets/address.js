// The address: a state as text behind the `#`, to be shared.

/** The address of a state: which system, which way, how far along it. */
export function toAddress({ choice, path, at }) {
  const parts = new URLSearchParams();
  parts.set("variant", choice.variant);
  parts.set("scenario", choice.scenario);
  parts.set("memory", choice.memory);
  if (choice.watch) parts.set("where", choice.watch);
  if (path.initial) parts.set("initial", path.initial);
  if (path.loop_start !== null && path.loop_start !== undefined) parts.set("loop", path.loop_start);
  parts.set("steps", path.steps.join("."));
  parts.set("at", at);
  return `#${parts}`;
}

/** The state at an address; null if it is not one. */
export function fromAddress(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (!parts.has("steps")) return null;
  const steps = parts.get("steps").split(".").filter((step) => step !== "").map(Number);
  const whole = (name) => (parts.has(name) ? Number(parts.get(name)) : null);
  if (![...steps, whole("initial") ?? 0, whole("at") ?? 0].every((n) => Number.isInteger(n) && n >= 0)) return null;
  return {
    choice: {
      variant: parts.get("variant") ?? "",
      scenario: parts.get("scenario") ?? "",
      memory: parts.get("memory") ?? "",
      watch: parts.get("where"),
    },
    path: { initial: whole("initial") ?? 0, steps, loop_start: whole("loop") },
    at: Math.min(whole("at") ?? steps.length, steps.length),
  };
}
