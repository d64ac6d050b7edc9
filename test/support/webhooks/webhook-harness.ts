import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { openGate } from '#application/ports/connection-gate.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NoteEdits } from '#application/ports/note-edits.ts';
import type { Organizations } from '#application/ports/organizations.ts';
import { noNames, type RecordNames } from '#application/ports/record-names.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import { noScope } from '#application/ports/work-scope.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { stepsAppliedTo } from '#application/webhooks/targets.ts';
import type { Organization } from '#domain/events/sales-crm-event.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';
import { ok } from '#domain/shared/result.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryNoteLinks } from '#test/doubles/memory-note-links.ts';
import { MemoryPartyDirectory } from '#test/doubles/memory-party-directory.ts';
import { MemoryPartyLinks } from '#test/doubles/memory-party-links.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { neutralNames, webhookServiceKeys } from '#test/support/services/five-services.ts';
import { salesCrmWebhookSource, signingWebhookSource, trackerWebhookSource } from '#test/support/services/vendors.ts';
import { salesCrmSecret, signingKey, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';
import { trackerDelivery, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** A line that was logged. */
export type LogLine = Readonly<{ level: string; message: string; [field: string]: unknown }>;

/** A logger that keeps its lines. */
export function rememberingLogger(): Readonly<{ lines: LogLine[]; logger: Logger }> {
  const lines: LogLine[] = [];
  const logging = (carried: Readonly<Record<string, unknown>>): Logger => {
    const line = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
      void lines.push({ ...carried, ...fields, level, message });
    const child = (fields: Readonly<Record<string, unknown>>) => logging({ ...carried, ...fields });
    return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error'), child };
  };
  return { lines, logger: logging({}) };
}

/** When the tests begin: 2026-01-23 12:53:18.123 UTC. */
export const startAt = Date.UTC(2026, 0, 23, 12, 53, 18, 123);

/** Receiving and draining over memory, with a vault; `notes` may stand between them and the vault. */
export function webhookHarness(
  notesOf: (vault: MemoryVaultNotes) => VaultNotes = (vault) => vault,
  reactions: readonly Reaction[] = allReactions,
  names: RecordNames = noNames,
  edits: NoteEdits | null = vaultNoteEdits,
) {
  const clock = new SettableClock(startAt);
  const inbox = new MemoryWebhookInbox(clock);
  const vault = new MemoryVaultNotes();
  const links = new MemoryNoteLinks();
  const { lines, logger } = rememberingLogger();
  const sources = [
    trackerWebhookSource({ secrets: [trackerSecret], dialect: 'neutral' }),
    salesCrmWebhookSource({ secrets: [salesCrmSecret], dialect: 'neutral' }),
    signingWebhookSource({ secrets: [signingKey], dialect: 'neutral' }),
    suiteCrmWebhookSource({ secrets: [suiteCrmToken] }),
  ];
  const wakes = { count: 0 };
  const onKept = () => {
    wakes.count += 1;
  };
  const secretIds = { sales_crm: ['sales-1'], signing: ['signing-1'], suite_crm: ['suite-1'], tracker: ['tracker-1'] };
  const receiptLog = new MemoryReceiptLog();
  const receipts = new NoteReceipts({ log: receiptLog, secretIds, clock, logger });
  const metrics = noMetrics;
  /** Enough processor time until a test sets that it is short; then `left` deliveries may be received. */
  const pace = {
    isShort: false,
    left: 0,
    isBusy: () => pace.isShort,
    isFull: () => pace.isShort && pace.left < 1,
    mayReceive: () => {
      pace.left -= 1;
      return pace.left >= 0;
    },
    notReceived: () => {
      pace.left += 1;
    },
  };
  const receive = new ReceiveDelivery({ sources, reactions, inbox, receipts, metrics, clock, logger, onKept, pace });
  const directory = new MemoryPartyDirectory();
  const partyLinks = new MemoryPartyLinks();
  const known = new Map<string, Organization>();
  const organizations: Organizations = { find: async ({ id }) => ok(known.get(id) ?? null) };
  const targets = {
    notes: notesOf(vault),
    noteLinks: links,
    directory,
    partyLinks,
    organizations,
    textOf: textWithFrontmatter,
    edits,
  };
  const surroundings = { templates: defaultTemplates, baseUrl: 'https://portolan.example' };
  const plan = new PlanEntry({ inbox, sources, reactions, names, surroundings });
  const shared = { inbox, plan, applySteps: stepsAppliedTo(targets), metrics, clock, logger };
  const drain = new DrainInbox({
    ...shared,
    gate: openGate,
    scope: noScope,
    names: neutralNames,
    senders: webhookServiceKeys,
    chance: () => 0.5,
    owner: 'test',
    timing: { leaseMs: 15_000, maxLeaseMs: 30_000, renewMs: 5_000 },
  });
  const deliveries = new Deliveries({
    inbox,
    reactionLog: new MemoryReactionLog(),
    receipts: receiptLog,
    plan,
    gate: openGate,
    targets,
    secrets: [trackerSecret, salesCrmSecret, signingKey, suiteCrmToken],
    secretIds,
    onReplay: onKept,
  });
  let delivered = 0;
  /** Receives a signed payload of the tracker under a delivery id of its own and drains the inbox. */
  const deliver = async (payload: unknown) => {
    delivered += 1;
    await receive.run(trackerDelivery(payload, { 'tracker-delivery': `delivery-${delivered}` }));
    await drain.run();
  };
  /** Receives any delivery, which must be accepted, and drains the inbox. */
  const take = async (delivery: Delivery) => {
    const received = await receive.run(delivery);
    if (!received.ok) throw new Error(`refused: ${received.failure.reason}: ${received.failure.detail}`);
    await drain.run();
  };
  const parts = { receipts, receiptLog, deliveries, targets, sources, directory, partyLinks, organizations: known };
  return { clock, inbox, vault, links, lines, wakes, pace, receive, drain, deliver, take, ...parts };
}
