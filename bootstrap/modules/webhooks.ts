import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { DeliveryCalls } from '#adapters/services/delivery-calls.ts';
import { GatewayDealNames } from '#adapters/services/sales-crm/ports/deal-names.ts';
import { GatewayOrganizations } from '#adapters/services/sales-crm/ports/organizations.ts';
import { GatewayPartyDirectory } from '#adapters/services/suite-crm/ports/party-directory.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import { scheduleSource } from '#application/reactions/schedule-source.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { InboxWorker, inboxPollMs } from '#application/webhooks/inbox-worker.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { stepsAppliedTo } from '#application/webhooks/targets.ts';
import { claimTiming } from '#application/webhooks/work-pace.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { webhookSecrets } from '#bootstrap/modules/webhook-secrets.ts';
import { bindWebhookViews } from '#bootstrap/modules/webhook-views.ts';
import { scheduleService } from '#domain/events/schedule-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import { isTeams } from '#domain/tokens/token-record.ts';
import { measureProcessorLoad } from '#infrastructure/program/processor-load.ts';
import { elapsedClock } from '#infrastructure/time/elapsed-clock.ts';
import { every } from '#infrastructure/time/every.ts';

type Bind = ContainerModuleLoadOptions['bind'];

/**
 * Binds the processing of webhooks: receivers, the durable inbox, the worker that applies reactions to deliveries, and
 * the views of them.
 */
export const webhooks = (templates: NoteTemplates) =>
  new ContainerModule(({ bind }) => {
    bindStores(bind);
    bindReceipt(bind);
    bindWork(bind, templates);
    bindWebhookViews(bind);
  });

function bindStores(bind: Bind): void {
  bind(tokens.inbox).toResolvedValue(({ webhookInbox }) => webhookInbox, [tokens.stores]);
  bind(tokens.noteLinks).toResolvedValue(({ noteLinks }) => noteLinks, [tokens.stores]);
  bind(tokens.partyLinks).toResolvedValue(({ partyLinks }) => partyLinks, [tokens.stores]);
  bind(tokens.receiptLog).toResolvedValue(({ receiptLog }) => receiptLog, [tokens.stores]);
  bind(tokens.webhookRegistrations).toResolvedValue((stores) => stores.webhookRegistrations, [tokens.stores]);
}

function bindReceipt(bind: Bind): void {
  bind(tokens.webhookSecrets)
    .toResolvedValue(({ settings, secrets }) => webhookSecrets(settings, secrets[0] ?? ''), [tokens.runtime])
    .inSingletonScope();
  bind(tokens.senders)
    .toResolvedValue(
      ({ settings }) =>
        settings.services.filter(({ service }) => service.sendsWebhooks).map(({ service }) => service.key),
      [tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.webhookSources)
    .toResolvedValue(
      ({ settings }) => settings.services.flatMap(({ webhooks: sent }) => sent?.source() ?? []),
      [tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.reactions)
    .toResolvedValue(
      ({ settings }, config) => [
        ...allReactions,
        ...settings.services.flatMap(({ service }) => service.reactions),
        ...config.reactions,
      ],
      [tokens.runtime, tokens.config],
    )
    .inSingletonScope();
  bind(tokens.noteReceipts)
    .toResolvedValue(
      (log, { ids }, clock, logger) => new NoteReceipts({ log, secretIds: ids, clock, logger }),
      [tokens.receiptLog, tokens.webhookSecrets, tokens.clock, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.receiveDelivery)
    .toResolvedValue(
      (sources, reactions, inbox, receipts, metrics, clock, logger, worker, tracer, drain) =>
        new ReceiveDelivery({
          sources,
          reactions,
          inbox,
          receipts,
          metrics,
          clock,
          logger,
          tracer,
          onKept: () => worker.wake(),
          pace: drain,
        }),
      [
        tokens.webhookSources,
        tokens.reactions,
        tokens.inbox,
        tokens.noteReceipts,
        tokens.metrics,
        tokens.clock,
        tokens.logger,
        tokens.inboxWorker,
        tokens.tracer,
        tokens.drainInbox,
      ],
    )
    .inSingletonScope();
}

function bindWork(bind: Bind, templates: NoteTemplates): void {
  bind(tokens.deliveryCalls)
    .toResolvedValue(
      (runOperation, names) => new DeliveryCalls(runOperation, names),
      [tokens.runOperation, tokens.serviceNames],
    )
    .inSingletonScope();
  bind(tokens.vaultNotes)
    .toResolvedValue(
      (calls, { settings }, connections) => {
        const userId = settings.AUTOMATION_USER_ID;
        const isServedHere = async () => {
          const vault = await connections.find(userId, 'vault');
          return vault !== null && isTeams(vault.record);
        };
        return new GatewayVaultNotes(calls, userId, isServedHere);
      },
      [tokens.deliveryCalls, tokens.runtime, tokens.connections],
    )
    .inSingletonScope();
  bind(tokens.recordNames)
    .toResolvedValue(
      (calls, { settings }, clock) => new GatewayDealNames(calls, settings.AUTOMATION_USER_ID, clock),
      [tokens.deliveryCalls, tokens.runtime, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.organizations)
    .toResolvedValue(
      (calls, { settings }) => new GatewayOrganizations(calls, settings.AUTOMATION_USER_ID),
      [tokens.deliveryCalls, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.partyDirectory)
    .toResolvedValue(
      (calls, { settings }) => new GatewayPartyDirectory(calls, settings.AUTOMATION_USER_ID),
      [tokens.deliveryCalls, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.planEntry)
    .toResolvedValue(
      (inbox, sources, reactions, names, { baseUrl }, written, switches) =>
        new PlanEntry({
          inbox,
          sources: [...sources, scheduleSource],
          reactions,
          names,
          surroundings: { templates, baseUrl },
          switches,
          ...(written === null ? {} : { written }),
        }),
      [
        tokens.inbox,
        tokens.webhookSources,
        tokens.reactions,
        tokens.recordNames,
        tokens.runtime,
        tokens.planReactions,
        tokens.reactionSwitches,
      ],
    )
    .inSingletonScope();
  bind(tokens.drainInbox)
    .toResolvedValue(
      (inbox, plan, targets, gate, scope, names, senders, metrics, clock, random, logger, tracer) =>
        new DrainInbox({
          inbox,
          plan,
          applySteps: stepsAppliedTo(targets),
          gate,
          scope,
          names,
          senders: [...senders, scheduleService],
          metrics,
          clock,
          chance: Math.random,
          logger,
          tracer,
          owner: random.token(12),
          timing: claimTiming,
          load: measureProcessorLoad(),
          uptime: elapsedClock(),
        }),
      [
        tokens.inbox,
        tokens.planEntry,
        tokens.targets,
        tokens.deliveryConnections,
        tokens.deliveryCalls,
        tokens.serviceNames,
        tokens.senders,
        tokens.metrics,
        tokens.clock,
        tokens.random,
        tokens.logger,
        tokens.tracer,
      ],
    )
    .inSingletonScope();
  bind(tokens.inboxWorker)
    .toResolvedValue(
      (drain, logger, storage) =>
        new InboxWorker({
          drain,
          repeat: every,
          logger,
          pollMs: inboxPollMs,
          renewMs: claimTiming.renewMs,
          trouble: () => storage.trouble(),
        }),
      [tokens.drainInbox, tokens.logger, tokens.storage],
    )
    .inSingletonScope();
}
