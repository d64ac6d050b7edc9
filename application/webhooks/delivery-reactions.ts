import type { ReactionRun } from '#application/ports/reaction-log.ts';
import type { InboxEntry } from '#application/ports/webhook-inbox.ts';
import { builtInReactions } from '#domain/reactions/built-in.ts';
import type { RunResult } from '#domain/reactions/run-result.ts';

/**
 * What a delivery came to for one reaction, for its page. `path` is that of its note, null for one that is built in;
 * `outcome` is a line for people, empty where the delivery's own result says it.
 */
export type DeliveryReaction = Readonly<{ title: string; path: string | null; result: RunResult; outcome: string }>;

/** What `AttemptResults` says of a reaction whose steps were not reached. */
export const notReached = 'not reached: ';

/** Returns what a delivery came to for each reaction: the built-in ones to its event, then those of the runs. */
export function deliveryReactions(entry: InboxEntry, runs: readonly ReactionRun[]): readonly DeliveryReaction[] {
  const written = runs.map(({ reaction, result, outcome }) => ({ title: reaction, path: reaction, result, outcome }));
  return [...builtIn(entry, runs), ...written];
}

function builtIn(entry: InboxEntry, runs: readonly ReactionRun[]): readonly DeliveryReaction[] {
  const concerned = builtInReactions.filter(({ parts }) =>
    parts.some(({ concern }) => concern?.service === entry.service && concern.names.includes(entry.event)),
  );
  return concerned.flatMap(({ name, title }) => {
    const result = resultFor(name, entry, runs);
    const outcome = result === 'waits' || result === 'failed' ? (entry.error ?? '') : '';
    return result === null ? [] : [{ title, path: null, result, outcome }];
  });
}

/** The result of a built-in reaction to an entry of its event; null while that is not known. */
function resultFor(
  name: string,
  { state, error, outcome }: InboxEntry,
  runs: readonly ReactionRun[],
): RunResult | null {
  if (state === 'done' || state === 'ignored') {
    const off = /^switched off: ([^;]*)/.exec(outcome ?? '')?.[1]?.split(', ') ?? [];
    if (off.includes(name)) return 'off';
    return state === 'done' ? 'ran' : null;
  }
  if (state === 'skipped' || error === null) return null;
  // Built-in reactions come first: where a later one failed, they had run.
  const isOfLater = runs.some(({ outcome: why }) => why.endsWith(error) && !why.endsWith(`${notReached}${error}`));
  if (isOfLater) return 'ran';
  return state === 'dead' ? 'failed' : 'waits';
}
