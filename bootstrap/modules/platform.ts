import { ContainerModule } from 'inversify';
import { accounts, notes, RelayedChanges, resources } from '#adapters/messages/relayed-changes.ts';
import { SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { cachedUsers } from '#adapters/stores/cached-stores.ts';
import { Audit } from '#application/audit/audit.ts';
import { Notify } from '#application/notifications/notify.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { CheckedConfig } from '#bootstrap/config/portolan-config.ts';
import { type Runtime, tokens } from '#bootstrap/modules/tokens.ts';
import { Readiness } from '#bootstrap/readiness.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import type { OpenStores } from '#bootstrap/stores/open-stores.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { wrapStores } from '#bootstrap/stores/wrap-stores.ts';
import { tracedRequests } from '#bootstrap/tracing/traced-requests.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** What is opened or read before the container is created. */
type PlatformParts = Readonly<{
  runtime: Runtime;
  config: CheckedConfig;
  logger: Logger;
  /** The system's clock when not given. */
  clock?: Clock;
  stores: OpenStores;
  /** Null when tracing is off. */
  tracer: Tracer | null;
}>;

/**
 * Binds the platform: clock, randomness, log, stores, HTTP, and the event buses. The stores are closed by their opener.
 */
export const platform = ({ runtime, config, logger, clock = systemClock, stores, tracer }: PlatformParts) =>
  new ContainerModule(({ bind }) => {
    bind(tokens.runtime).toConstantValue(runtime);
    bind(tokens.config).toConstantValue(config);
    bind(tokens.clock).toConstantValue(clock);
    bind(tokens.random).toConstantValue(systemRandom);
    bind(tokens.logger).toConstantValue(logger);
    bind(tokens.tracer).toConstantValue(tracer);
    bind(HttpClient)
      .toConstantValue(new HttpClient(Math.random, { around: tracer === null ? null : tracedRequests(tracer) }))
      .onDeactivation((client) => client.close());
    const others = new SealedMessages(stores.stores.serverMessages, {
      box: boxFor('messages', runtime.secrets),
      clock,
      logger,
    });
    bind(tokens.otherServers).toConstantValue(others);
    bind(tokens.sharing).toConstantValue(stores.sessions === null ? null : { store: stores.sessions, others });
    bind(tokens.noteChanges).toConstantValue(new RelayedChanges(notes, others));
    bind(tokens.resourceChanges).toConstantValue(new RelayedChanges(resources, others));
    const changes = new RelayedChanges(accounts, others);
    bind(tokens.accountChanges).toConstantValue(changes);
    const services = config.services.map(({ key }) => key);
    const { NOTIFY_URL, SMTP_URL } = runtime.settings;
    const notify = new Notify({
      notifications: stores.stores.notifications,
      now: () => clock.now(),
      isHeard: { byWebhook: NOTIFY_URL !== undefined, byMail: SMTP_URL !== undefined },
    });
    bind(Notify).toConstantValue(notify);
    const wrapped = wrapStores(stores.stores, {
      secrets: runtime.secrets,
      services,
      open: config.services.flatMap(({ key, kind: { remote } }) => (remote?.connection === 'none' ? [key] : [])),
      changes,
      others,
      notify: notify.isOn ? notify : null,
      logger,
    });
    bind(tokens.stores).toConstantValue(wrapped);
    bind(tokens.storedConnections).toConstantValue(stores.stores.connections);
    const onChange = (userId: number) => changes.publish({ userId });
    bind(tokens.storedUsers).toConstantValue(cachedUsers(stores.stores.users, { onChange }));
    const audit = new Audit({ log: wrapped.auditLog, clock, logger });
    bind(tokens.note).toConstantValue((act) => audit.note(act));
    bind(tokens.unreadableRows).toConstantValue(stores.unreadable);
    bind(tokens.pruneSignIns).toConstantValue(() => stores.prune());
    bind(tokens.serverTurns).toConstantValue(stores.turns);
    const storage = new Storage();
    storage.add({ name: 'database', look: stores.trouble });
    bind(Storage).toConstantValue(storage);
    bind(Readiness).toConstantValue(new Readiness(() => stores.ready(), storage));
  });
