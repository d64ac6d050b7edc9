import type { Store, Stores } from '#adapters/contracts/stores.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { Reaction } from '#domain/reactions/reaction.ts';

/** The context for creating stores. `dataDir` is an absolute path to an existing folder. */
export type StoresContext = Readonly<{ dataDir: string; logger: Logger; clock: Clock }>;

/** The context for creating a notes sink. `gateway` calls any operation of any service, over a user's connection. */
export type SinkContext = Readonly<{
  gateway: OperationCaller;
  /** The user whose connections deliveries use: `AUTOMATION_USER_ID`. */
  userId: number;
  dataDir: string;
  logger: Logger;
}>;

/** Receives the notes that reactions write, in place of the automation user's vault. `close` is called at shutdown. */
export type NotesSink = VaultNotes & Partial<Pick<Store, 'close'>>;

/** The content of `portolan.config.ts`. Omitted members keep their defaults. */
export type PortolanConfig = Readonly<{
  /** Creates stores that replace those in the database or in memory; the others are unchanged. */
  stores?: (context: StoresContext) => Partial<Stores> | Promise<Partial<Stores>>;
  /** Creates the destination of the notes that reactions write. */
  sink?: (context: SinkContext) => NotesSink | Promise<NotesSink>;
  /** Additional services; or a function that returns all services, given the built-in ones. */
  services?: readonly Service[] | ((builtIn: readonly Service[]) => readonly Service[]);
  /** Additional reactions to deliveries, besides those of the services. */
  reactions?: readonly Reaction[];
}>;

/** A validated configuration, with all services of the server. */
export type CheckedConfig = Readonly<{
  stores: NonNullable<PortolanConfig['stores']> | null;
  sink: NonNullable<PortolanConfig['sink']> | null;
  services: readonly Service[];
  reactions: readonly Reaction[];
}>;

/** Returns the configuration unchanged; gives compilers and editors its type. */
export function defineConfig(config: PortolanConfig): PortolanConfig {
  return config;
}
