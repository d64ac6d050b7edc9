import type { Pattern } from '#domain/vault-queries/pattern/pattern-tree.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** A match: where it starts and ends, and the places of each group, -1 where it has none. */
type Match = readonly number[];
type Thread = Readonly<{ step: number; places: Match }>;

/**
 * Finds the first match at or after a place. All ways to match are followed side by side, so the time grows with the
 * length of the text times that of the pattern, never faster. Each step is charged to the budget.
 */
export function searchPattern(pattern: Pattern, text: string, from: number, budget: WorkBudget): Match | null {
  const none = Array.from<number>({ length: 2 * (pattern.groups + 1) }).fill(-1);
  let found: Match | null = null;
  let threads: readonly Thread[] = [];
  for (let at = from; at <= text.length; at += 1) {
    const next = new Threads(pattern, text, at, budget);
    for (const thread of threads) next.add(thread.step, thread.places);
    if (found === null) next.add(0, none);
    threads = [];
    const moved: Thread[] = [];
    for (const { step, places } of next.all) {
      const action = pattern.steps[step];
      if (action?.kind === 'match') {
        found = places;
        break;
      }
      if (action?.kind === 'unit' && at < text.length && action.isMatch(text.charCodeAt(at))) {
        moved.push({ step: step + 1, places });
      }
    }
    threads = moved;
    if (threads.length === 0 && found !== null) return found;
  }
  return found;
}

/** The ways to match that have come to one place of the text, the preferred first. */
class Threads {
  readonly all: Thread[] = [];
  readonly #seen = new Set<number>();
  readonly #pattern: Pattern;
  readonly #text: string;
  readonly #at: number;
  readonly #budget: WorkBudget;

  constructor(pattern: Pattern, text: string, at: number, budget: WorkBudget) {
    this.#pattern = pattern;
    this.#text = text;
    this.#at = at;
    this.#budget = budget;
  }

  /** Adds a way, and those that it forks into before it reads the next character. */
  add(start: number, given: Match): void {
    const open: Thread[] = [{ step: start, places: given }];
    for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
      const { step, places } = thread;
      if (this.#seen.has(step)) continue;
      this.#seen.add(step);
      this.#budget.take(4 + places.length / 4);
      const action = this.#pattern.steps[step];
      if (action?.kind === 'jump') open.push({ step: action.to, places });
      else if (action?.kind === 'fork') open.push({ step: action.second, places }, { step: action.first, places });
      else if (action?.kind === 'save') open.push({ step: step + 1, places: places.with(action.slot, this.#at) });
      else if (action?.kind === 'edge') {
        if (action.isEdge(this.#text, this.#at)) open.push({ step: step + 1, places });
      } else this.all.push(thread);
    }
  }
}

/** All matches, from left to right, which do not overlap. */
function* matchesOf(pattern: Pattern, text: string, budget: WorkBudget): Iterable<Match> {
  for (let from = 0; from <= text.length; ) {
    const match = searchPattern(pattern, text, from, budget);
    if (match === null) return;
    yield match;
    from = endOf(match) === startOf(match) ? endOf(match) + 1 : endOf(match);
  }
}

const startOf = (match: Match): number => match[0] ?? 0;
const endOf = (match: Match): number => match[1] ?? 0;
const groupOf = (match: Match, index: number, text: string): string =>
  (match[2 * index] ?? -1) < 0 ? '' : text.slice(match[2 * index], match[2 * index + 1]);

/** Replaces all matches; `$1`, `$&` and `$$` in the replacement mean what they do in JavaScript. */
export function replacePattern(pattern: Pattern, text: string, by: string, budget: WorkBudget): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of matchesOf(pattern, text, budget)) {
    const filled = by.replaceAll(/\$(\$|&|\d{1,2})/g, (whole, sign: string) => {
      if (sign === '$') return '$';
      const index = sign === '&' ? 0 : Number(sign);
      return index <= pattern.groups && (sign === '&' || index > 0) ? groupOf(match, index, text) : whole;
    });
    budget.take(filled.length / 4);
    parts.push(text.slice(end, startOf(match)), filled);
    end = endOf(match);
  }
  return parts.join('') + text.slice(end);
}

/** Splits a text at all matches; what groups match is among the parts. */
export function splitByPattern(pattern: Pattern, text: string, budget: WorkBudget): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const match of matchesOf(pattern, text, budget)) {
    const isEmpty = startOf(match) === endOf(match);
    if (isEmpty && (startOf(match) === end || startOf(match) === text.length)) continue;
    parts.push(text.slice(end, startOf(match)));
    for (let group = 1; group <= pattern.groups; group += 1) parts.push(groupOf(match, group, text));
    end = endOf(match);
  }
  return text === '' && parts.length > 0 ? [] : [...parts, text.slice(end)];
}
