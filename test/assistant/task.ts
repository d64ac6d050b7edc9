import { ok } from 'node:assert/strict';
import type { Tools } from '#test/assistant/session.ts';
import { openWire, type Traffic } from '#test/assistant/wire.ts';
import { openWorld, type World } from '#test/assistant/world/world.ts';

/** What a person asks of an assistant, how a sensible one does it, and how it is found out whether it was done. */
export type Task = Readonly<{
  id: string;
  /** The request, in the person's words. */
  ask: string;
  /** The query of the MCP address, such as `?mode=catalogue`; all tools when not given. */
  mode?: '?mode=catalogue' | '?mode=programs' | '?readonly=1';
  /** What it may take: calls, and tokens of arguments and answers together. */
  most: Readonly<{ calls: number; tokens: number }>;
  /** What the server does not do yet; the task is left out until it does. */
  awaits?: string;
  /** A sensible assistant's calls, with its natural mistakes; returns what it answers the person. */
  act: (tools: Tools) => Promise<string>;
  /** What is to be found afterwards; a list when several things are asked. */
  holds: Truth | readonly Truth[];
}>;

/** Throws unless something was done, by what the services and files hold afterwards, and the answer to the person. */
export type Truth = (world: World, answer: string) => void | Promise<void>;

/** Somebody who does tasks: the task, the MCP address, and the token to it; answers the person. */
export type Assistant = (task: Task, mcp: Readonly<{ url: string; token: string }>) => Promise<string>;

/** How a task went: `partly` when some of several things were done. `fault` says what is not right; null when all is. */
export type Run = Readonly<{
  task: Task;
  traffic: Traffic;
  outcome: 'right' | 'partly' | 'wrong';
  fault: string | null;
}>;

/** Does a task in a world of its own. */
export async function run(task: Task, assistant: Assistant): Promise<Run> {
  const world = await openWorld();
  const wire = await openWire(world.origin);
  try {
    const url = `${wire.url}/message${task.mode ?? ''}`;
    const { answer, error } = await assistant(task, { url, token: world.token }).then(
      (text) => ({ answer: text, error: null }),
      (reason: unknown) => ({ answer: '', error: String(reason) }),
    );
    const truths = typeof task.holds === 'function' ? [task.holds] : task.holds;
    const faults: (string | null)[] = [];
    for (const truth of truths) faults.push(await faultIn(() => truth(world, answer)));
    const fault = error ?? faults.find((one) => one !== null) ?? null;
    const some = faults.length > 1 && faults.includes(null) ? 'partly' : 'wrong';
    return { task, traffic: wire.traffic(), outcome: fault === null ? 'right' : some, fault };
  } finally {
    await wire.close();
    await world.close();
  }
}

/** Holds when a text has all the words. */
export function says(text: string | null, ...words: readonly string[]): void {
  // A number is the same with and without a comma between its thousands.
  const plain = text?.replaceAll(/(?<=\d),(?=\d{3})/g, '') ?? '';
  for (const word of words) ok(plain.includes(word), `"${word}" is missing in: ${plain.slice(0, 1_000)}`);
}

async function faultIn(check: () => void | Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
