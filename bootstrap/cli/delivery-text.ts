import type { InboxEntry } from '#application/ports/webhook-inbox.ts';
import type { ShownEntry } from '#application/webhooks/deliveries.ts';

/** Formats a delivery as one line: '42  done  2026-01-23 12:53:18  tracker  issue.create  created Issues/ENG-7.md'. */
export function entryLine({ seq, state, receivedAt, service, event, outcome, error }: InboxEntry): string {
  return plain([seq, state.padEnd(7), timeOf(receivedAt), service, event, outcome ?? error ?? ''].join('  ')).trimEnd();
}

/** Formats a delivery with all its facts and its body. */
export function deliveryLines({ entry, body }: ShownEntry): string {
  const facts = Object.entries({
    id: `${entry.service}/${entry.deliveryId}`,
    event: entry.event,
    state: entry.state,
    outcome: entry.outcome,
    error: entry.error,
    tries: entry.attempts,
    received: timeOf(entry.receivedAt),
    'over since': entry.finishedAt === null ? null : timeOf(entry.finishedAt),
    'ordering key': entry.orderKey,
  }).flatMap(([name, value]) => (value === null ? [] : [plain(`${name.padEnd(12)}  ${value}`)]));
  return [...facts, '', body === null ? 'The body was pruned.' : body].join('\n');
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** Replaces control characters by spaces, so that names in deliveries cannot send escape sequences to a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
