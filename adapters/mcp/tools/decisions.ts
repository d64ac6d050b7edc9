import { setTimeout as pause } from 'node:timers/promises';
import type { Approvals } from '#application/ports/approvals.ts';

/** Waits until a person has decided on an approval and what they allowed is done; false when `until` aborts before. */
export type AwaitDecision = (id: string, until: AbortSignal) => Promise<boolean>;

/** For a server on which nobody decides. */
export const undecided: AwaitDecision = async () => false;

/** Looks at approvals every half second, since any server may be the one on which a person decides. */
export function decisionsIn(approvals: Pick<Approvals, 'find'>, pauseMs = 500): AwaitDecision {
  return async (id, until) => {
    while (!until.aborted) {
      const state = (await approvals.find(id))?.state;
      if (state !== 'waiting' && state !== 'running') return true;
      await pause(pauseMs, undefined, { signal: until }).catch(() => undefined);
    }
    return false;
  };
}
