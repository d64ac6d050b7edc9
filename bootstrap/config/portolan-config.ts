import type { Service } from '#adapters/services/service.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { Store } from '#application/ports/store.ts';
import type { Stores } from '#application/ports/stores.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';

/** What the stores of a configuration are made from. `dataDir` is an absolute path, and is there. */
export type StoresContext = Readonly<{ dataDir: string; logger: Logger; clock: Clock }>;

/** What a sink of notes is made from. `gateway` calls any operation of any service, under a user's connection. */
export type SinkContext = Readonly<{
  gateway: OperationCaller;
  /** The user whose connections deliveries use: `AUTOMATION_USER_ID`. */
  userId: number;
  dataDir: string;
  logger: Logger;
}>;

/** The notes that reactions write to, in place of the automation user's vault. `close` is called at the end. */
export type NotesSink = VaultNotes & Partial<Pick<Store, 'close'>>;

/** What `portolan.config.ts` says. Whatever it leaves out is as without a configuration. */
export type PortolanConfig = Readonly<{
  /** Makes the stores that take the place of those in the database, or in memory; the others stay. */
  stores?: (context: StoresContext) => Partial<Stores> | Promise<Partial<Stores>>;
  /** Makes what reactions write notes to. */
  sink?: (context: SinkContext) => NotesSink | Promise<NotesSink>;
  /** Further services; or a function that returns all of them, given the built-in ones. */
  services?: readonly Service[] | ((builtIn: readonly Service[]) => readonly Service[]);
  /** Further reactions to deliveries, beside those of the services. */
  reactions?: readonly Reaction[];
}>;

/** A configuration that was checked, with all services that the server has. */
export type CheckedConfig = Readonly<{
  stores: NonNullable<PortolanConfig['stores']> | null;
  sink: NonNullable<PortolanConfig['sink']> | null;
  services: readonly Service[];
  reactions: readonly Reaction[];
}>;

/** Returns the configuration as it is, for the compiler and the editor to check. */
export function defineConfig(config: PortolanConfig): PortolanConfig {
  return config;
}
