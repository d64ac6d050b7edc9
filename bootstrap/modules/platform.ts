import { ContainerModule } from 'inversify';
import type { AccountChange } from '#application/ports/account-changes.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NoteChange } from '#application/ports/note-changes.ts';
import { Readiness } from '#bootstrap/readiness.ts';
import type { Runtime } from '#bootstrap/runtime.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** Binds the platform: clock, randomness, log, database, HTTP, and the event bus. What had to be opened is passed in open. */
export const platform = ({
  runtime,
  logger,
  database,
}: Readonly<{ runtime: Runtime; logger: Logger; database: Database }>) =>
  new ContainerModule(({ bind }) => {
    bind(tokens.runtime).toConstantValue(runtime);
    bind(tokens.clock).toConstantValue(systemClock);
    bind(tokens.random).toConstantValue(systemRandom);
    bind(tokens.logger).toConstantValue(logger);
    bind(tokens.database)
      .toConstantValue(database)
      .onDeactivation((opened) => opened.close());
    bind(tokens.http)
      .toConstantValue(new HttpClient())
      .onDeactivation((client) => client.close());
    bind(tokens.noteChanges).toConstantValue(new EventBus<NoteChange>());
    bind(tokens.accountChanges).toConstantValue(new EventBus<AccountChange>());
    bind(tokens.readiness).toConstantValue(new Readiness(() => database.check()));
  });
