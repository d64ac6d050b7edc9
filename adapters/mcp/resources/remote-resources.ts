import { z } from 'zod';
import { offerOperations, type RemoteOffer } from '#adapters/contracts/remote-offers.ts';
import type { ResourceContents } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import { boundedContents } from '#adapters/mcp/resources/remote-contents.ts';
import type { ListPage, ResourceEntry, ResourceSource, ResourceTemplate } from '#adapters/mcp/resources/resource.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import { readRemoteUri } from '#domain/remote-servers/remote-uri.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** How many pages of one server can be listed in a row: a list without end ends here. */
const maxPages = 20;
/** How long a list waits for one server, in ms: one that hangs must not hold up the lists of the others. */
const listingMs = 5_000;

const listed = z.object({
  resources: z.array(
    z.object({ uri: z.string(), name: z.string(), mimeType: z.string().nullable(), size: z.number().nullable() }),
  ),
  next: z.string().nullable(),
});

/** The place of one server in a list: the page, and the server's own cursor. */
const places = z
  .array(z.tuple([z.string(), z.int().min(1).max(maxPages), z.string()]))
  .min(1)
  .max(30);
type Place = Readonly<{ service: ServiceKey; page: number; cursor: string | null }>;

/**
 * Offers the resources of remote MCP servers, each under an address of this server that names its service; they are
 * listed and read over the user's own connection, as operations of that service.
 */
export function remoteResources(offers: () => readonly RemoteOffer[], run: RunOperationFor): ResourceSource {
  const shownTo = ({ user, choice }: Pick<MethodContext, 'user' | 'choice'>) =>
    offers().filter(
      ({ service, templates }) => templates !== null && isPermitted(user, service) && includesService(choice, service),
    );
  const offerOf = (uri: string): RemoteOffer | undefined => {
    const found = readRemoteUri(uri);
    return found === null ? undefined : offers().find(({ service }) => service === found.service);
  };
  return {
    templates: [],
    templatesFor: (context): readonly ResourceTemplate[] =>
      shownTo(context).flatMap(({ templates }) => templates ?? []),
    serviceOf: (uri) => offerOf(uri)?.service ?? null,
    list: async (context, cursor): Promise<ListPage<ResourceEntry> | null> => {
      const begun = cursor === null ? null : readCursor(cursor);
      if (cursor !== null && begun === null) return null;
      const shown = shownTo(context);
      const first = shown.map(({ service }): Place => ({ service, page: 0, cursor: null }));
      const current = begun?.filter(({ service }) => shown.some((one) => one.service === service)) ?? first;
      const pages = await Promise.all(current.map((place) => pageAt(place, context, run)));
      const left = pages.flatMap(({ next }) => (next === null ? [] : [next]));
      return { entries: pages.flatMap(({ entries }) => entries), next: left.length === 0 ? null : writeCursor(left) };
    },
    read: async ({ user, choice, signal }, uri): Promise<readonly ResourceContents[] | null> => {
      const found = readRemoteUri(uri);
      if (found === null || !shownTo({ user, choice }).some(({ service }) => service === found.service)) return null;
      const call = { service: found.service, name: offerOperations.readResource, input: { uri: found.uri }, signal };
      const outcome = await run(user, call);
      return outcome.ok ? boundedContents(outcome.data, uri) : null;
    },
    addressOf: () => null,
    complete: async (_, uriTemplate) => (offerOf(uriTemplate) === undefined ? null : []),
  };
}

type Page = Readonly<{ entries: readonly ResourceEntry[]; next: Place | null }>;

const nothing: Page = { entries: [], next: null };

/** A page of one server; empty where it cannot be used now. */
async function pageAt(
  { service, page, cursor }: Place,
  { user, signal }: Pick<MethodContext, 'user' | 'signal'>,
  run: RunOperationFor,
): Promise<Page> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(listingMs)]);
  const input = cursor === null ? {} : { cursor };
  const outcome = await run(user, { service, name: offerOperations.listResources, input, signal: until });
  const read = outcome.ok ? listed.safeParse(outcome.data) : null;
  if (read?.success !== true) return nothing;
  const { resources, next } = read.data;
  const entries = resources.map(({ uri, name, mimeType, size }) => ({
    uri,
    name,
    ...(mimeType === null ? {} : { mimeType }),
    ...(size === null ? {} : { size }),
  }));
  const isOver = next === null || page + 1 >= maxPages;
  return { entries, next: isOver ? null : { service, page: page + 1, cursor: next } };
}

function writeCursor(all: readonly Place[]): string {
  return Buffer.from(JSON.stringify(all.map(({ service, page, cursor }) => [service, page, cursor]))).toString(
    'base64url',
  );
}

function readCursor(cursor: string): readonly Place[] | null {
  const read = places.safeParse(jsonOrNull(Buffer.from(cursor, 'base64url').toString()));
  return read.success ? read.data.map(([service, page, own]) => ({ service, page, cursor: own })) : null;
}
