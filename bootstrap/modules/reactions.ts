import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { reactionRoutes } from '#adapters/http/reactions/reaction-routes.ts';
import { reactionUri } from '#adapters/mcp/resources/reaction-resources.ts';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { GatewayReactionNotes } from '#adapters/services/vault/ports/reaction-notes.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import { ManageReactions } from '#application/reactions/manage-reactions.ts';
import { operationChecks, readingIn } from '#application/reactions/operation-checks.ts';
import { PlanReactions } from '#application/reactions/plan-reactions.ts';
import { ReactionBook } from '#application/reactions/reaction-book.ts';
import { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import { ReadingRights } from '#application/reactions/reading-rights.ts';
import { RunSchedules } from '#application/reactions/run-schedules.ts';
import { TryReaction } from '#application/reactions/try-reaction.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';

/** Binds user-written reactions: how they are read, planned, counted and scheduled. */
export const reactions = new ContainerModule(({ bind }) => {
  bind(tokens.reactionLog).toResolvedValue(({ reactionLog }) => reactionLog, [tokens.stores]);
  bind(tokens.targets)
    .toResolvedValue(
      (
        notes,
        noteLinks,
        directory,
        partyLinks,
        organizations,
        log,
        inbox,
        caller,
        catalog,
        clock,
        changes,
        runtime,
      ) => ({
        written: {
          log,
          inbox,
          caller,
          isReading: readingIn(catalog),
          clock,
          pause: (ms) => delay(ms),
          userId: runtime.settings.AUTOMATION_USER_ID,
          onRun: (path) => changes.publish({ address: reactionUri(path) }),
        },
        notes,
        noteLinks,
        directory,
        partyLinks,
        organizations,
        textOf: textWithFrontmatter,
        edits: vaultNoteEdits,
      }),
      [
        tokens.vaultNotes,
        tokens.noteLinks,
        tokens.partyDirectory,
        tokens.partyLinks,
        tokens.organizations,
        tokens.reactionLog,
        tokens.inbox,
        tokens.deliveryCalls,
        tokens.catalog,
        tokens.clock,
        tokens.resourceChanges,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.reactionLanguage)
    .toResolvedValue(
      (gateway, catalog, senders, { settings }) =>
        new ReactionThreads({
          senders,
          folder: settings.REACTIONS_FOLDER,
          checkCall: () => operationChecks(catalog, gateway),
        }),
      [tokens.gateway, tokens.catalog, tokens.senders, tokens.runtime],
    )
    .inSingletonScope()
    .onDeactivation((language) => language.close());
  bind(tokens.reactionBook)
    .toResolvedValue(
      (calls, language, log, clock, logger, { settings }, { sink }, names) => {
        const { AUTOMATION_USER_ID: userId, REACTIONS_FOLDER: folder } = settings;
        if (sink !== null || !names.keys.includes('vault')) return null;
        const paths = new GatewayReactionNotes(calls, userId, folder);
        return new ReactionBook({ paths, notes: new GatewayVaultNotes(calls, userId), language, log, clock, logger });
      },
      [
        tokens.deliveryCalls,
        tokens.reactionLanguage,
        tokens.reactionLog,
        tokens.clock,
        tokens.logger,
        tokens.runtime,
        tokens.config,
        tokens.serviceNames,
      ],
    )
    .inSingletonScope();
  bind(tokens.reactionOutcomes)
    .toResolvedValue(
      (book, written) =>
        book === null || written === null ? null : new ReactionOutcomes({ book, reactions: written }),
      [tokens.reactionBook, tokens.manageReactions],
    )
    .inSingletonScope();
  bind(tokens.reactionSwitches)
    .toResolvedValue(
      (log, others, clock) => new BuiltInSwitches({ log, others, clock }),
      [tokens.reactionLog, tokens.otherServers, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.eventsOfPeriod)
    .toResolvedValue((inbox, sources) => new EventsOfPeriod(inbox, sources), [tokens.inbox, tokens.webhookSources])
    .inSingletonScope();
  bind(tokens.readingRights)
    .toResolvedValue(
      (book, log, users, facts, senders, clock) =>
        book === null ? null : new ReadingRights({ book, log, users, facts, senders, clock }),
      [tokens.reactionBook, tokens.reactionLog, tokens.users, tokens.serverFacts, tokens.senders, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.planReactions)
    .toResolvedValue(
      (book, language, log, links, events, reading, { settings }) =>
        book === null || reading === null
          ? null
          : new PlanReactions({
              book,
              language,
              log,
              links,
              reading,
              folder: settings.REACTIONS_FOLDER,
              eventsOf: (event) => events.of(event),
            }),
      [
        tokens.reactionBook,
        tokens.reactionLanguage,
        tokens.reactionLog,
        tokens.noteLinks,
        tokens.eventsOfPeriod,
        tokens.readingRights,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.manageReactions)
    .toResolvedValue(
      (book, plan, events, targets, log, inbox, reading, clock, worker) =>
        book === null || plan === null || reading === null
          ? null
          : new ManageReactions({
              book,
              log,
              inbox,
              reading,
              tries: new TryReaction({ plan, events, targets, clock }),
              clock,
              onReplay: () => worker.wake(),
            }),
      [
        tokens.reactionBook,
        tokens.planReactions,
        tokens.eventsOfPeriod,
        tokens.targets,
        tokens.reactionLog,
        tokens.inbox,
        tokens.readingRights,
        tokens.clock,
        tokens.inboxWorker,
      ],
    )
    .inSingletonScope();
  bind(tokens.reactionRoutes)
    .toResolvedValue(
      (written, switches, formGuard, clock) =>
        reactionRoutes({ reactions: written, switches, formGuard, now: () => clock.now() }),
      [tokens.manageReactions, tokens.reactionSwitches, tokens.formGuard, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.runSchedules)
    .toResolvedValue(
      (book, language, log, inbox, gate, clock, worker) =>
        book === null
          ? null
          : new RunSchedules({ book, language, log, inbox, gate, clock, onKept: () => worker.wake() }),
      [
        tokens.reactionBook,
        tokens.reactionLanguage,
        tokens.reactionLog,
        tokens.inbox,
        tokens.deliveryConnections,
        tokens.clock,
        tokens.inboxWorker,
      ],
    )
    .inSingletonScope();
});
