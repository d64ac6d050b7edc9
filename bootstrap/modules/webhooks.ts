import { ContainerModule } from 'inversify';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { MikroOrmWebhookInbox } from '#adapters/persistence/mikro-orm-webhook-inbox.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/webhook.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/vault-notes.ts';
import { CarryOutNote } from '#application/webhooks/carry-out-note.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import type { Settings } from '#bootstrap/settings.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { defaultTemplates } from '#domain/notes/templates.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { every } from '#infrastructure/time/every.ts';

/** How long a claimed delivery is one process's own, in ms; renewed while it is worked on. */
const leaseMs = 15_000;
/** How often the inbox is looked into without a nudge, in ms. */
const pollMs = 1_000;

/** Webhooks in, reactions out: receivers, the durable inbox, and the worker that has deliveries take effect. */
export const webhooks = new ContainerModule(({ bind }) => {
  bind(tokens.inbox)
    .toResolvedValue(
      (database, { secrets }) =>
        new MikroOrmWebhookInbox(database, new AesGcmBox(secrets.map((secret) => deriveKey(secret, 'webhook inbox')))),
      [tokens.database, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.noteLinks)
    .toResolvedValue((database) => new MikroOrmNoteLinks(database), [tokens.database])
    .inSingletonScope();
  bind(tokens.vaultNotes)
    .toResolvedValue(
      (gateway, { settings }) => new GatewayVaultNotes(gateway, settings.AUTOMATION_USER_ID),
      [tokens.gateway, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.webhookSources)
    .toResolvedValue(({ settings }) => webhookSources(settings), [tokens.runtime])
    .inSingletonScope();
  bind(tokens.drainInbox)
    .toResolvedValue(
      (inbox, sources, notes, links, clock, random, logger) =>
        new DrainInbox({
          inbox,
          sources,
          carryOutNote: new CarryOutNote(notes, links),
          templates: defaultTemplates,
          clock,
          chance: Math.random,
          logger,
          owner: random.token(12),
          leaseMs,
        }),
      [
        tokens.inbox,
        tokens.webhookSources,
        tokens.vaultNotes,
        tokens.noteLinks,
        tokens.clock,
        tokens.random,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.inboxWorker)
    .toResolvedValue(
      (drain, logger) => new InboxWorker({ drain, repeat: every, logger, pollMs, renewMs: leaseMs / 3 }),
      [tokens.drainInbox, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.receiveDelivery)
    .toResolvedValue(
      (sources, inbox, clock, logger, worker) =>
        new ReceiveDelivery({ sources, inbox, clock, logger, onKept: () => worker.nudge() }),
      [tokens.webhookSources, tokens.inbox, tokens.clock, tokens.logger, tokens.inboxWorker],
    )
    .inSingletonScope();
});

function webhookSources(settings: Settings) {
  return [
    trackerWebhookSource({
      secrets: settings.TRACKER_WEBHOOK_SECRET ?? [],
      dialect: settings.TRACKER_DIALECT === 'linear' ? 'linear' : 'neutral',
    }),
  ];
}
