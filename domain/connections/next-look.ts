import type { Standing } from '#domain/connections/standing-of.ts';

/**
 * When a connection that does not work is looked at again, and what the user can do: the one sentence for calls, pages and
 * lists. Null while it works.
 */
export function nextLook({ state, refusals }: Standing, now: number): string | null {
  const anew = 'Connect it again on the page /page';
  if (refusals?.probeAt != null) {
    const at = refusals.probeAt <= now ? 'in a moment' : `at ${timeText(refusals.probeAt)}`;
    if (state !== 'reconnect') return `It is tried again ${at}, and when Test is pressed on the page /page.`;
    return `${anew}; it is tried again ${at} as well, and when Test is pressed there.`;
  }
  if (state === 'reconnect') return `${anew}; nothing is tried until then.`;
  return state === 'degraded' ? 'It is tried again by itself.' : null;
}

/** Why a connection does not work and when it is looked at again, as one text; null while it works. */
export function troubleOf(standing: Standing, now: number): string | null {
  const next = nextLook(standing, now);
  return next === null ? null : [standing.reason, next].filter((text) => text !== null).join(' ');
}

/** Whether nothing is sent over the connection but probes. */
export function isHeld({ state, refusals }: Standing): boolean {
  return refusals?.probeAt != null || state === 'reconnect';
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
