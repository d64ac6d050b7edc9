import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type ResolutionContext } from 'inversify';
import { reactionRoutes } from '#adapters/http/reactions/reaction-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { reactionUri } from '#adapters/mcp/resources/reaction-resources.ts';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { GatewayReactionNotes } from '#adapters/services/vault/ports/reaction-notes.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import { DeliveryCalls } from '#adapters/services/webhooks/delivery-calls.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { Notify } from '#application/notifications/notify.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { CheckReaction } from '#application/reactions/check-reaction.ts';
import { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import { ManageReactions } from '#application/reactions/manage-reactions.ts';
import { NoteRuns } from '#application/reactions/note-runs.ts';
import { operationChecks, readingIn, shownNames } from '#application/reactions/operation-checks.ts';
import { PlanReactions } from '#application/reactions/plan-reactions.ts';
import { ReactionApprovals } from '#application/reactions/reaction-approvals.ts';
import { ReactionBook } from '#application/reactions/reaction-book.ts';
import { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import { ReadingRights } from '#application/reactions/reading-rights.ts';
import { RunSchedules } from '#application/reactions/run-schedules.ts';
import { TryReaction } from '#application/reactions/try-reaction.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { isTeams } from '#domain/tokens/token-record.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';

/** The reactions for a text that is tried: it belongs to no note, so none is set aside for it. */
const noBook = {
  to: () => [],
  offTo: () => [],
  at: () => null,
  isLoaded: true,
  load: async () => true,
  changesRead: async () => undefined,
  setAside: async () => undefined,
};

/** Binds user-written reactions: how they are read, planned, counted and scheduled. */
export const reactions = new ContainerModule(({ bind }) => {
  bind(tokens.reactionLog).toDynamicValue((on) => on.get(tokens.stores).reactionLog);
  bind(tokens.targets).toDynamicValue((on) => {
    return {
      written: {
        log: on.get(tokens.reactionLog),
        inbox: on.get(tokens.inbox),
        caller: on.get(DeliveryCalls),
        isReading: readingIn(on.get(tokens.catalog)),
        nameOf: shownNames(on.get(tokens.catalog)),
        clock: on.get(tokens.clock),
        pause: (ms) => delay(ms),
        userId: on.get(tokens.runtime).settings.AUTOMATION_USER_ID,
      },
      notes: on.get(tokens.vaultNotes),
      noteLinks: on.get(tokens.noteLinks),
      directory: on.get(tokens.partyDirectory),
      partyLinks: on.get(tokens.partyLinks),
      organizations: on.get(tokens.organizations),
      textOf: textWithFrontmatter,
      edits: vaultNoteEdits,
    };
  });
  bind(NoteRuns).toDynamicValue((on) => {
    const changes = on.get(tokens.resourceChanges);
    const onRun = (path: string) => changes.publish({ address: reactionUri(path) });
    return new NoteRuns({
      log: on.get(tokens.reactionLog),
      clock: on.get(tokens.clock),
      onRun,
      notify: on.get(Notify),
    });
  });
  bind(ReactionThreads)
    .toDynamicValue((on) => {
      const gateway = on.get(tokens.gateway);
      const catalog = on.get(tokens.catalog);
      return new ReactionThreads({
        senders: on.get(tokens.senders),
        folder: on.get(tokens.runtime).settings.REACTIONS_FOLDER,
        checkCall: () => operationChecks(catalog, gateway),
      });
    })
    .onDeactivation((language) => language.close());
  bind(tokens.trialThreads)
    .toDynamicValue((on) => {
      const gateway = on.get(tokens.gateway);
      const catalog = on.get(tokens.catalog);
      const { REACTIONS_FOLDER: folder } = on.get(tokens.runtime).settings;
      return new ReactionThreads({
        senders: on.get(tokens.senders),
        folder,
        checkCall: () => operationChecks(catalog, gateway),
      });
    })
    .onDeactivation((language) => language.close());
  bind(CheckReaction).toDynamicValue((on) => {
    const { REACTIONS_FOLDER: folder } = on.get(tokens.runtime).settings;
    const events = on.get(EventsOfPeriod);
    const plan = new PlanReactions({
      book: noBook,
      language: on.get(tokens.trialThreads),
      log: on.get(tokens.reactionLog),
      links: on.get(tokens.noteLinks),
      reading: { admit: async () => new Map() },
      folder,
      eventsOf: (event, isOpen) => events.of(event, isOpen),
      nameOf: shownNames(on.get(tokens.catalog)),
    });
    const records = on.get(tokens.eventRecords);
    const tries = new TryReaction({
      plan,
      events,
      records,
      targets: on.get(tokens.targets),
      clock: on.get(tokens.clock),
    });
    return new CheckReaction({
      language: on.get(tokens.trialThreads),
      tries,
      senders: on.get(tokens.senders),
      path: `${folder}/to be checked.md`,
    });
  });
  bind(tokens.reactionBook).toDynamicValue((on) => {
    const calls = on.get(DeliveryCalls);
    const { AUTOMATION_USER_ID: userId } = on.get(tokens.runtime).settings;
    if (on.get(tokens.config).sink !== null || !on.get(tokens.serviceNames).keys.includes('vault')) return null;
    return new ReactionBook({
      paths: notesOf(on),
      notes: new GatewayVaultNotes(calls, userId),
      language: on.get(ReactionThreads),
      log: on.get(tokens.reactionLog),
      clock: on.get(tokens.clock),
      logger: on.get(tokens.logger),
    });
  });
  bind(tokens.reactionOutcomes).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    const written = on.get(tokens.manageReactions);
    return book === null || written === null ? null : new ReactionOutcomes({ book, reactions: written });
  });
  bind(BuiltInSwitches).toDynamicValue(
    (on) =>
      new BuiltInSwitches({
        log: on.get(tokens.reactionLog),
        others: on.get(tokens.otherServers),
        clock: on.get(tokens.clock),
      }),
  );
  bind(EventsOfPeriod).toDynamicValue((on) => new EventsOfPeriod(on.get(tokens.inbox), on.get(tokens.webhookSources)));
  bind(tokens.readingRights).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    return book === null
      ? null
      : new ReadingRights({
          book,
          log: on.get(tokens.reactionLog),
          users: on.get(tokens.users),
          facts: on.get(tokens.serverFacts),
          senders: on.get(tokens.senders),
          clock: on.get(tokens.clock),
        });
  });
  bind(tokens.planReactions).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    const events = on.get(EventsOfPeriod);
    const reading = on.get(tokens.readingRights);
    return book === null || reading === null
      ? null
      : new PlanReactions({
          book,
          language: on.get(ReactionThreads),
          log: on.get(tokens.reactionLog),
          links: on.get(tokens.noteLinks),
          reading,
          folder: on.get(tokens.runtime).settings.REACTIONS_FOLDER,
          eventsOf: (event, isOpen) => events.of(event, isOpen),
          nameOf: shownNames(on.get(tokens.catalog)),
        });
  });
  bind(tokens.manageReactions).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    const plan = on.get(tokens.planReactions);
    const reading = on.get(tokens.readingRights);
    const clock = on.get(tokens.clock);
    const worker = on.get(InboxWorker);
    return book === null || plan === null || reading === null
      ? null
      : new ManageReactions({
          book,
          log: on.get(tokens.reactionLog),
          inbox: on.get(tokens.inbox),
          reading,
          tries: new TryReaction({
            plan,
            events: on.get(EventsOfPeriod),
            records: on.get(tokens.eventRecords),
            targets: on.get(tokens.targets),
            clock,
          }),
          clock,
          onReplay: () => worker.wake(),
        });
  });
  bind(tokens.reactionApprovals).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    const reading = on.get(tokens.readingRights);
    const worker = on.get(InboxWorker);
    return book === null || reading === null
      ? null
      : new ReactionApprovals({
          book,
          log: on.get(tokens.reactionLog),
          inbox: on.get(tokens.inbox),
          reading,
          clock: on.get(tokens.clock),
          onReplay: () => worker.wake(),
        });
  });
  bind(tokens.reactionRoutes).toDynamicValue((on) => {
    const clock = on.get(tokens.clock);
    return reactionRoutes({
      reactions: on.get(tokens.manageReactions),
      approvals: on.get(tokens.reactionApprovals),
      switches: on.get(BuiltInSwitches),
      formGuard: on.get(FormGuard),
      note: on.get(tokens.note),
      textOf: async (path) => {
        const read = await notesOf(on).text(path);
        return read.ok ? read.value : null;
      },
      nameOf: shownNames(on.get(tokens.catalog)),
      now: () => clock.now(),
    });
  });
  bind(tokens.runSchedules).toDynamicValue((on) => {
    const book = on.get(tokens.reactionBook);
    const worker = on.get(InboxWorker);
    return book === null
      ? null
      : new RunSchedules({
          book,
          language: on.get(ReactionThreads),
          log: on.get(tokens.reactionLog),
          inbox: on.get(tokens.inbox),
          gate: on.get(DeliveryConnections),
          clock: on.get(tokens.clock),
          onKept: () => worker.wake(),
        });
  });
});

/** The notes in the folder of reactions, over the automation user's connection to the vault. */
function notesOf(on: ResolutionContext): GatewayReactionNotes {
  const { AUTOMATION_USER_ID: userId, REACTIONS_FOLDER: folder } = on.get(tokens.runtime).settings;
  const findStamps = async () => {
    const connection = await on.get(tokens.connections).find(userId, 'vault');
    return connection !== null && isTeams(connection.record) ? on.get(tokens.noteStamps).of : null;
  };
  return new GatewayReactionNotes(on.get(DeliveryCalls), { userId, folder, findStamps });
}
