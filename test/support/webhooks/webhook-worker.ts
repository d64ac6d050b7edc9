// A worker in a process of its own, for tests of two on one database. Arguments: database address, a file that each effect
// is appended to as 'process path'. Prints `ready`, drains when it is asked to on standard input, and ends when nothing is left.

import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as work } from 'node:timers/promises';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { openGate } from '#application/ports/connection-gate.ts';
import { noNames } from '#application/ports/record-names.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import { noScope } from '#application/ports/work-scope.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { stepsAppliedTo } from '#application/webhooks/targets.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import { ok } from '#domain/shared/result.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';
import { MemoryPartyDirectory } from '#test/doubles/memory-party-directory.ts';
import { MemoryPartyLinks } from '#test/doubles/memory-party-links.ts';
import { neutralNames, webhookServiceKeys } from '#test/support/services/five-services.ts';
import { trackerWebhookSource } from '#test/support/services/vendors.ts';

const [url = '', file = ''] = process.argv.slice(2);
const database = await openDatabase({ url, entities, migrations });
const inbox = new SqlWebhookInbox(database);

/** Has no note of anything, so that every entry makes one; doing it twice would show. */
const notes: VaultNotes = {
  read: async () => ok(null),
  findByFrontmatter: async () => ok([]),
  create: async (path) => {
    await work(5);
    appendFileSync(file, `${process.pid} ${path}\n`);
    return ok(true);
  },
  setFrontmatter: async () => ok(undefined),
  appendUnderHeading: async () => ok(undefined),
  append: async () => ok(undefined),
  replace: async () => ok(true),
};
const parties = {
  directory: new MemoryPartyDirectory(),
  partyLinks: new MemoryPartyLinks(),
  organizations: { find: async () => ok(null) },
};
const applySteps = stepsAppliedTo({
  notes,
  noteLinks: new MikroOrmNoteLinks(database),
  ...parties,
  textOf: textWithFrontmatter,
  edits: vaultNoteEdits,
});
const sources = [trackerWebhookSource({ secrets: [], dialect: 'neutral' })];
const surroundings = { templates: defaultTemplates, baseUrl: '' };
const plan = new PlanEntry({ inbox, sources, reactions: allReactions, names: noNames, surroundings });
const shared = { inbox, plan, applySteps, metrics: noMetrics, clock: systemClock, logger: openLogger('silent') };
const drain = new DrainInbox({
  ...shared,
  gate: openGate,
  scope: noScope,
  names: neutralNames,
  senders: webhookServiceKeys,
  chance: Math.random,
  owner: `${process.pid}`,
  timing: { leaseMs: 15_000, maxLeaseMs: 30_000, renewMs: 5_000 },
});

process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (;;) {
  await drain.run();
  const { pending, leased } = await inbox.counts();
  if (pending + leased === 0) break;
  await work(5);
}
await database.close();
process.exit(0);
