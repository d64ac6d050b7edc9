// A server in a process of its own, for tests that kill it: receives tracker deliveries into a SQLite file and, with
// `drain`, turns them into notes of a folder. Arguments: database address, notes folder, 'receive' or 'drain', crash after
// that many writes ('0': never). Prints `port <number>` when it listens, and `idle` when nothing is left to do.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Router } from '@koa/router';
import Koa from 'koa';
import { webhookRoutes } from '#adapters/http/webhooks/webhook-routes.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { SqlPartyLinks } from '#adapters/persistence/sql-party-links.ts';
import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { openGate } from '#application/ports/connection-gate.ts';
import { noNames } from '#application/ports/record-names.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import { noScope } from '#application/ports/work-scope.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { stepsAppliedTo } from '#application/webhooks/targets.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import { ok } from '#domain/shared/result.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { every } from '#infrastructure/time/every.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';
import { MemoryPartyDirectory } from '#test/doubles/memory-party-directory.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { neutralNames, webhookServiceKeys } from '#test/support/services/five-services.ts';
import { trackerWebhookSource } from '#test/support/services/vendors.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const [url = '', folder = '', mode = '', crashAfter = '0'] = process.argv.slice(2);
const database = await openDatabase({ url, entities, migrations });
const inbox = new SqlWebhookInbox(database);
const logger = openLogger('silent');
const sources = [trackerWebhookSource({ secrets: [trackerSecret], dialect: 'neutral' })];
const shared = { inbox, metrics: noMetrics, clock: systemClock, logger };
const noteLinks = new MikroOrmNoteLinks(database);
const parties = {
  directory: new MemoryPartyDirectory(),
  partyLinks: new SqlPartyLinks(database),
  organizations: { find: async () => ok(null) },
};
const applySteps = stepsAppliedTo({
  notes: folderNotes(),
  noteLinks,
  ...parties,
  textOf: textWithFrontmatter,
  edits: vaultNoteEdits,
});
const surroundings = { templates: defaultTemplates, baseUrl: 'http://localhost' };
const plan = new PlanEntry({ inbox, sources, reactions: allReactions, names: noNames, surroundings });
const owner = String(process.pid);
const drain = new DrainInbox({
  ...shared,
  gate: openGate,
  scope: noScope,
  names: neutralNames,
  senders: webhookServiceKeys,
  plan,
  applySteps,
  chance: Math.random,
  owner,
  timing: { leaseMs: 300, maxLeaseMs: 3_000, renewMs: 100 },
});
const worker = new InboxWorker({ drain, repeat: every, logger, pollMs: 50, renewMs: 100 });
const secretIds = { sales_crm: [], signing: [], suite_crm: [], tracker: ['first'] };
const receipts = new NoteReceipts({ log: new SqlReceiptLog(database), secretIds, clock: systemClock, logger });
const receive = new ReceiveDelivery({
  ...shared,
  sources,
  reactions: allReactions,
  receipts,
  onKept: () => worker.wake(),
});

const router = new Router();
const routes = webhookRoutes(receive, webhookServiceKeys, { baseUrl: 'https://portolan.example' });
for (const { path, run } of routes) router.post(path, async (ctx) => run(ctx));
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`port ${typeof address === 'object' ? address?.port : ''}\n`);
});

if (mode === 'drain') {
  worker.start();
  every(20, reportIdle, () => undefined);
}

async function reportIdle(): Promise<void> {
  const { pending, leased } = await inbox.counts();
  if (pending + leased === 0) process.stdout.write('idle\n');
}

/** Notes as files; the process kills itself right after the write whose number is given, before anything is noted of it. */
function folderNotes(): VaultNotes {
  const vault = new MemoryVaultNotes();
  const list = join(folder, 'notes.txt');
  const paths = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
  for (const path of paths) vault.write(path, readFileSync(join(folder, path), 'utf8'));
  let writes = 0;
  const save = async (path: string) => {
    const read = await vault.read(path);
    if (!read.ok || read.value === null) return;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (!existsSync(join(folder, path))) appendFileSync(list, `${path}\n`);
    writeFileSync(join(folder, path), read.value.content);
    writes += 1;
    if (writes === Number(crashAfter)) process.kill(process.pid, 'SIGKILL');
  };
  return {
    read: (path) => vault.read(path),
    findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
    create: async (path, content) => {
      const created = await vault.create(path, content);
      await save(path);
      return created;
    },
    setFrontmatter: async (path, key, value) => {
      const set = await vault.setFrontmatter(path, key, value);
      await save(path);
      return set;
    },
    appendUnderHeading: async (path, heading, markdown) => {
      const appended = await vault.appendUnderHeading(path, heading, markdown);
      await save(path);
      return appended;
    },
    append: async (path, markdown) => {
      const appended = await vault.append(path, markdown);
      await save(path);
      return appended;
    },
    replace: async (path, content, version) => {
      const replaced = await vault.replace(path, content, version);
      await save(path);
      return replaced;
    },
  };
}
