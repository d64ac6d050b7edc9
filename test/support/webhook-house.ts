import { MemoryNoteLinks } from '#adapters/memory/memory-note-links.ts';
import { MemoryVaultNotes } from '#adapters/memory/memory-vault-notes.ts';
import { MemoryWebhookInbox } from '#adapters/memory/memory-webhook-inbox.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/webhook.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { CarryOutNote } from '#application/webhooks/carry-out-note.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { SettableClock } from '#test/support/webhook-clock.ts';
import { trackerDelivery, trackerSecret } from '#test/support/webhook-tracker.ts';

/** A line that was logged. */
export type LogLine = Readonly<{ level: string; message: string; [field: string]: unknown }>;

/** A logger that remembers what it was told. */
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
export function webhookHouse(notesOf: (vault: MemoryVaultNotes) => VaultNotes = (vault) => vault) {
  const clock = new SettableClock(startAt);
  const inbox = new MemoryWebhookInbox(clock);
  const vault = new MemoryVaultNotes();
  const links = new MemoryNoteLinks();
  const { lines, logger } = rememberingLogger();
  const sources = [trackerWebhookSource({ secrets: [trackerSecret], dialect: 'neutral' })];
  const nudges = { count: 0 };
  const onKept = () => {
    nudges.count += 1;
  };
  const receive = new ReceiveDelivery({ sources, inbox, clock, logger, onKept });
  const carryOutNote = new CarryOutNote(notesOf(vault), links);
  const shared = { inbox, sources, carryOutNote, templates: defaultTemplates, clock, logger };
  const drain = new DrainInbox({ ...shared, chance: () => 0.5, owner: 'test', leaseMs: 15_000 });
  let deliveries = 0;
  /** Receives a signed payload under a delivery id of its own and drains the inbox. */
  const deliver = async (payload: unknown) => {
    deliveries += 1;
    await receive.run(trackerDelivery(payload, { 'tracker-delivery': `delivery-${deliveries}` }));
    await drain.run();
  };
  return { clock, inbox, vault, links, lines, nudges, receive, drain, deliver };
}
