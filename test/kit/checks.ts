import { inspect, isDeepStrictEqual } from 'node:util';
import { type Exchange, latestExchange } from '#test/kit/exchanges.ts';
import type { Answer } from '#test/kit/wire.ts';

/** What a clause demands and the target did not do. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly expected: string;
  readonly came: string;
  /** The exchange with the target that had ended last, before anything was put right again. */
  readonly exchange: Exchange | null = latestExchange();

  constructor(expected: string, came: string) {
    super(`expected ${expected}; came ${came}`);
    this.expected = expected;
    this.came = came;
  }
}

/** Why a clause cannot be judged at this target. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

const maxShown = 400;

/** A value as a report shows it: on one line, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 6, breakLength: Infinity });
  return text.length > maxShown ? `${text.slice(0, maxShown)}… (${text.length} characters)` : text;
}

/** Demands that a condition holds. `expected` completes "expected …". */
export function holds(condition: boolean, expected: string, came: unknown): asserts condition {
  if (!condition) throw new Mismatch(expected, typeof came === 'string' ? came.slice(0, maxShown) : shown(came));
}

/** Demands that two values are deeply equal. */
export function equal(came: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(came, expected)) throw new Mismatch(`${what} ${shown(expected)}`, shown(came));
}

/** Demands that a text matches. */
export function matches(came: string | null | undefined, pattern: RegExp, what: string): void {
  if (came === null || came === undefined || !pattern.test(came)) {
    throw new Mismatch(`${what} to match ${String(pattern)}`, shown(came));
  }
}

/** Demands that a text contains another. */
export function contains(came: string, part: string, what: string): void {
  if (!came.includes(part)) throw new Mismatch(`${what} to contain ${shown(part)}`, shown(came));
}

/** Demands that a text does not contain another. */
export function lacks(came: string, part: string, what: string): void {
  if (came.includes(part)) throw new Mismatch(`${what} without ${shown(part)}`, shown(came));
}

/** Demands one of the statuses of an answer. */
export function status(answer: Answer, expected: number | readonly number[], what = answer.asked): void {
  const allowed = [expected].flat();
  if (allowed.includes(answer.status)) return;
  throw new Mismatch(
    `${what} to answer ${allowed.join(' or ')}`,
    `${answer.status} ${shown(answer.text.slice(0, 200))}`,
  );
}

/** Demands that an answer is a success; which status it has, the interface leaves open. */
export function succeeded(answer: Answer): void {
  holds(
    answer.status >= 200 && answer.status < 300,
    `${answer.asked} to succeed`,
    `${answer.status} ${shown(answer.text.slice(0, 200))}`,
  );
}

/** Demands that every member of `expected` is in `came`, deeply; members besides are left alone. */
export function includes(came: unknown, expected: unknown, what: string): void {
  const missing = missingFrom(came, expected, '');
  if (missing !== null)
    throw new Mismatch(`${what} with ${shown(expected)}`, `${shown(came)}, which departs at ${missing}`);
}

/** Where `came` lacks something of `expected`; null when it has all of it. */
export function missingFrom(came: unknown, expected: unknown, place: string): string | null {
  if (typeof expected !== 'object' || expected === null) {
    return isDeepStrictEqual(came, expected) ? null : place === '' ? 'its value' : place;
  }
  if (typeof came !== 'object' || came === null) return place === '' ? 'its value' : place;
  if (Array.isArray(expected) && (!Array.isArray(came) || came.length !== expected.length)) return `${place}.length`;
  const has = new Map(Object.entries(came));
  for (const [name, value] of Object.entries(expected)) {
    const found = missingFrom(has.get(name), value, `${place}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** The member of an object from outside; undefined when there is none. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? Reflect.get(inside, name)
        : undefined,
    value,
  );
}

/** The member as text; fails when it is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = member(value, ...path);
  if (typeof found !== 'string') throw new Mismatch(`a text at ${path.join('.')}`, shown(value));
  return found;
}

/** The member as a list; fails when it is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = member(value, ...path);
  if (!Array.isArray(found)) throw new Mismatch(`a list at ${path.join('.')}`, shown(value));
  return found;
}

const usualPatienceMs = 60_000;
let patienceMs: number | null = null;

/** Sets how long checks wait for what they wait for, in ms; null sets what is usual. */
export function setPatience(ms: number | null): void {
  patienceMs = ms;
}

/** How many ms of patience go with each question that was asked: a machine that pauses takes away time, and no questions. */
const msPerQuestion = 100;

/** Asks until there is an answer, at most for so long and so often; fails with what it waited for. */
export async function eventually<Value>(
  what: string,
  ask: () => Value | null | undefined | Promise<Value | null | undefined>,
  givenMs = usualPatienceMs,
): Promise<Value> {
  const forMs = patienceMs ?? givenMs;
  const end = performance.now() + forMs;
  for (let asked = 1; ; asked += 1) {
    const found = await ask();
    if (found !== null && found !== undefined) return found;
    if (performance.now() > end && asked * msPerQuestion > forMs)
      throw new Mismatch(`${what} within ${forMs / 1000} s`, 'nothing of it');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * What `ask` gives when it is right, or took less than `withinMs`; it asks again where it is not and took longer. For answers that depend on the time
 * at which a request arrives, on a machine that may pause in between. Skips where the machine never is fast enough to tell.
 */
export async function inTime<Value>(
  withinMs: number,
  ask: () => Promise<Value>,
  isRight: (value: Value) => boolean = () => false,
): Promise<Value> {
  for (let tries = 0; tries < 20; tries += 1) {
    const startedAt = performance.now();
    const value = await ask();
    if (performance.now() - startedAt < withinMs || isRight(value)) return value;
  }
  throw new Skipped(`the target took more than ${withinMs / 1000} s for each of 20 answers`);
}
