import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { ProbeRejected } from '#application/connections/probe-rejected.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { pruneOld } from '#bootstrap/jobs/prune-old.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { newIssueRequest } from '#test/support/webhooks/webhook-tracker.ts';

/**
 * Work of a server that nobody waits for, by its name in the table; it runs in the server and returns with how many rows it had to
 * do. `isWhole` is for what takes as long as there is much to do, and is done once.
 */
export type Job = Readonly<{ name: string; isWhole?: boolean; run(container: Container): Promise<number> }>;

const dayMs = 86_400_000;
/** The age from which the bench has a server prune rows, in days: a fifth of a year is older. */
const fifthDays = 292;

/** Every job. Those that prune come last, each once: what they remove is gone. */
export const jobs: readonly Job[] = [
  { name: 'a delivery to its note', run: deliver },
  { name: 'claims of deliveries', run: (container) => container.get(DrainInbox).fill() },
  { name: 'renewals of tokens', run: (container) => container.get(RenewDueTokens).run() },
  { name: 'probes of refused connections', run: (container) => container.get(ProbeRejected).run() },
  { name: 'reconciliation of webhooks', run: (container) => container.get(ReconcileRegistrations).run() },
  {
    name: 'reading of the reactions',
    run: async (container) => {
      const book = container.get(tokens.reactionBook);
      await book?.load();
      return book?.all().length ?? 0;
    },
  },
  { name: 'schedules of reactions', run: async (container) => (await container.get(tokens.runSchedules)?.run()) ?? 0 },
  { name: 'activity of a second: 100 calls', run: addActivity },
  {
    name: 'pruning, nothing old',
    run: async (container) => {
      await pruneOld(container);
      return 0;
    },
  },
  pruning('the bodies of a month', ({ container, now }) => container.get(tokens.inbox).prune(now)),
  pruning('the results of reactions', ({ container, now }) => container.get(tokens.reactionLog).pruneRuns(now)),
  pruning('a fifth of the audit log', ({ container, now }) =>
    container.get(tokens.stores).auditLog.prune(now - fifthDays * dayMs),
  ),
  pruning('kept changes', ({ container, now }) => container.get(tokens.stores).keptChanges.prune(now)),
  pruning('notifications', ({ container, now }) => container.get(tokens.stores).notifications.prune(now)),
  pruning('approvals', ({ container, now }) => container.get(tokens.stores).approvals.prune(now + dayMs)),
  pruning('grants of apps', ({ container, now }) => container.get(tokens.appGrants).prune(now - 20 * dayMs + 1_000)),
  pruning('a fifth of the activity', ({ container, now }) =>
    container.get(tokens.stores).activityLog.prune(now - fifthDays * dayMs),
  ),
];

type Pruned = Readonly<{ container: Container; now: number }>;

function pruning(what: string, prune: (pruned: Pruned) => Promise<number>): Job {
  // What was filled in is of a day that began up to a day ago.
  return {
    name: `pruning: ${what}`,
    isWhole: true,
    run: (container) => prune({ container, now: Date.now() }),
  };
}

/** Receives a signed delivery of a new issue, and waits for its note. */
async function deliver(container: Container): Promise<number> {
  const { settings, baseUrl } = container.get(tokens.runtime);
  const { identifier, headers, body } = newIssueRequest('NEW', 'Issue');
  const { status } = await fetch(`${baseUrl}/webhooks/tracker`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`A delivery was answered ${status}`);
  const note = join(settings.vaultDir, 'Issues', `${identifier} Issue.md`);
  while (!existsSync(note)) await delay(1);
  return 1;
}

/** Stores what apps do in a busy second. */
async function addActivity(container: Container): Promise<number> {
  const now = Date.now();
  const entries = Array.from({ length: 100 }, (_, n) => ({
    at: now,
    userId: 1 + (n % 20),
    grantId: `grant-${n}`,
    app: 'Claude',
    service: 'tracker' as const,
    operation: 'issues.list',
    effect: 'read' as const,
    recordId: null,
    recordUrl: null,
    outcome: 'ok' as const,
    ms: 12,
  }));
  await container.get(tokens.stores).activityLog.add(entries);
  return entries.length;
}
