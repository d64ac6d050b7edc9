import { z } from 'zod';
import { type ClientChannel, logLevels } from '#adapters/mcp/protocol/client-channel.ts';
import { elicitsBy, neededCapability } from '#adapters/mcp/protocol/client-requests.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The state that a session keeps of its client, as stored. */
const stateSchema = z.object({
  /** The capabilities that requests to the client may need; only whether the client has each. */
  can: z.array(z.string()),
  isInitialized: z.boolean(),
  logLevel: z.enum(logLevels).nullable(),
  readsStructured: z.boolean().default(true),
  /** The watched resources: the address under which changes are published, and the client's own spelling of it. */
  watched: z.array(z.tuple([z.string(), z.string()])),
  /** The state of the user's lists when the last stream was closed; null before. */
  shown: z.number().nullable(),
});

type State = z.output<typeof stateSchema>;

const emptyState: State = {
  can: [],
  isInitialized: false,
  logLevel: null,
  readsStructured: true,
  watched: [],
  shown: null,
};

/** The names of the modes in which a client elicits, beside those of its capabilities; forms alone have none. */
const elicits = 'elicitation.';
const [url, form] = [`${elicits}url`, `${elicits}form`];

/** Serialises the state of a channel; equal states give equal texts. */
export function stateText(channel: ClientChannel): string {
  const has = (name: string) => isObject(own(channel.capabilities, name));
  const opens = elicitsBy(channel.capabilities, 'url')
    ? elicitsBy(channel.capabilities, 'form')
      ? [url, form]
      : [url]
    : [];
  const can = [...Object.values(neededCapability).filter(has), ...opens];
  const { isInitialized, logLevel, readsStructured, watched, shown } = channel;
  return JSON.stringify({ can, isInitialized, logLevel, readsStructured, watched, shown } satisfies State);
}

/** Restores a channel's stored state; a text of another version is ignored. */
export function restore(channel: ClientChannel, text: string): void {
  const { can, ...state } = read(text);
  const modes = [url, form].filter((mode) => can.includes(mode)).map((mode) => [mode.slice(elicits.length), {}]);
  const capabilities = Object.fromEntries(can.filter((name) => !name.startsWith(elicits)).map((name) => [name, {}]));
  channel.capabilities =
    modes.length === 0 ? capabilities : { ...capabilities, elicitation: Object.fromEntries(modes) };
  channel.replace(state);
}

/**
 * Merges `theirs` with the changes from `before` to `mine`, since two servers may change a session at the same time.
 */
export function merged(before: string, mine: string, theirs: string): string {
  const [base, own, other] = [read(before), read(mine), read(theirs)];
  const changed = <Name extends keyof State>(name: Name): State[Name] =>
    JSON.stringify(own[name]) === JSON.stringify(base[name]) ? other[name] : own[name];
  const watched = new Map(other.watched);
  const added = new Map(own.watched);
  for (const [address] of base.watched) if (!added.has(address)) watched.delete(address);
  for (const [address, uri] of added) watched.set(address, uri);
  return JSON.stringify({
    can: changed('can'),
    isInitialized: changed('isInitialized'),
    logLevel: changed('logLevel'),
    readsStructured: changed('readsStructured'),
    watched: [...watched],
    shown: changed('shown'),
  } satisfies State);
}

function read(text: string): State {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data ?? emptyState;
  } catch {
    return emptyState;
  }
}
