import { digestOfJson } from '#domain/changes/change-digest.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A change that a program would make, in the order in which its dry run made it. In `input`, `new:1` stands for the id
 * of the first record that the program makes, and so on.
 */
export type PlannedCall = Readonly<{
  service: ServiceKey;
  operation: string;
  effect: Effect;
  input: unknown;
  /** The digest of the change with the state of its record; null for a record that the program has touched before. */
  digest: string | null;
  /** The number in the placeholder of what it makes; null when it makes nothing that has an id. */
  makes: number | null;
}>;

/** Returns what stands for the id of the nth record that a program makes, from 1. */
export function placeholder(nth: number): string {
  return `new:${nth}`;
}

const placeholders = /\bnew:(\d{1,4})\b/g;

/** Whether JSON data mentions a record that the program makes. */
export function mentionsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.search(placeholders) !== -1;
  if (Array.isArray(value)) return value.some(mentionsPlaceholder);
  return isObject(value) && Object.values(value).some(mentionsPlaceholder);
}

/** Replaces placeholders by the ids of what was made; those of what was not made yet stay. */
export function withIds(value: unknown, ids: ReadonlyMap<number, string | number>): unknown {
  if (typeof value === 'string') {
    const whole = /^new:(\d{1,4})$/.exec(value)?.[1];
    if (whole !== undefined) return ids.get(Number(whole)) ?? value;
    return value.replaceAll(placeholders, (same, nth: string) => String(ids.get(Number(nth)) ?? same));
  }
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member, ids)]));
}

/** Returns the digest of a plan: another text when the program would do something else, or a record has changed. */
export function digestOfPlan(plan: readonly PlannedCall[]): string {
  return digestOfJson(plan.map(({ service, operation, input, digest }) => [service, operation, input, digest]));
}

/** What is left of an allowed plan while its program runs: each change of it may be made once. */
export class PlanLeft {
  readonly #left: Set<PlannedCall>;
  readonly #ids = new Map<number, string | number>();

  constructor(plan: readonly PlannedCall[]) {
    this.#left = new Set(plan);
  }

  /** Takes the change out of the plan; null when it is not in it, or was made already. */
  take(call: Readonly<{ service: ServiceKey; operation: string; input: unknown }>): PlannedCall | null {
    const asked = digestOfJson(call.input);
    for (const planned of this.#left) {
      const isSame = planned.service === call.service && planned.operation === call.operation;
      if (!isSame || digestOfJson(withIds(planned.input, this.#ids)) !== asked) continue;
      this.#left.delete(planned);
      return planned;
    }
    return null;
  }

  /** Notes the id of what a change made. */
  made({ makes }: PlannedCall, id: unknown): void {
    if (makes !== null && (typeof id === 'string' || typeof id === 'number')) this.#ids.set(makes, id);
  }
}
