import { z } from 'zod';
import {
  type OfferedPrompt,
  type OfferedTemplate,
  offerOperations,
  type RemoteOffer,
} from '#adapters/contracts/remote-offers.ts';
import type { RemoteFailure, RemoteSession } from '#adapters/contracts/remote-sessions.ts';
import type { RemoteDefinition } from '#adapters/services/definitions/remote-definition.ts';
import { namesWithin } from '#adapters/services/from-mcp/remote-names.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { itemName, readItem, resourcesItem } from '#domain/remote-servers/remote-item.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { remoteUri } from '#domain/remote-servers/remote-uri.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';
import { isSchema } from '#infrastructure/json-schema/walk-schema.ts';

/** What an operation asks of a server besides its tools: the item that must be accepted for it, and how it is asked. */
type OfferAct = Readonly<{
  itemOf: (inputs: Inputs) => string;
  ask: (session: RemoteSession, inputs: Inputs, signal: AbortSignal) => Promise<Result<Outcome, RemoteFailure>>;
}>;

/** The prompts and resources of a remote server: what is offered of them, and the operations by which they are asked for. */
export type RemoteOffers = RemoteOffer &
  Readonly<{ table: Readonly<Record<string, RequestRow>>; acts: ReadonlyMap<RequestRow, OfferAct> }>;

/** The maximum lengths of a description and of a title as they are shown, in characters. */
const maxDescription = 1_000;
const maxTitle = 80;

/** Makes what is offered of the items that may be used, tools apart. */
export function remoteOffers({ key: service, title }: RemoteDefinition, items: readonly RemoteTool[]): RemoteOffers {
  const prompts = items.filter(({ name }) => readItem(name).kind === 'prompt');
  const hasResources = items.some(({ name }) => name === resourcesItem);
  const templates = items.filter(({ name }) => readItem(name).kind === 'template');
  const names = namesWithin(
    service,
    prompts.map(({ name }) => readItem(name).name),
  );
  const table: Record<string, RequestRow> = {};
  const acts = new Map<RequestRow, OfferAct>();
  const add = (name: string, row: RequestRow, act: OfferAct): void => {
    table[name] = row;
    acts.set(row, act);
  };
  if (hasResources) {
    add(offerOperations.listResources, rowOf('List resources', title, listInput), listing(service));
    add(offerOperations.readResource, rowOf('Read resources', title, readInput), reading(service));
  }
  if (prompts.length > 0) add(offerOperations.getPrompt, rowOf('Use prompts', title, promptInput), prompting);
  return {
    service,
    title,
    prompts: prompts.map((item, place) => promptOf(item, names[place] ?? '', title)),
    templates: hasResources ? templates.map((item) => templateOf(item, service, title)) : null,
    table,
    acts,
  };
}

function rowOf(title: string, called: string, input: z.ZodObject): RequestRow {
  return {
    kind: 'request',
    method: 'POST',
    path: `/${title.toLowerCase().replaceAll(' ', '/')}`,
    summary: `${title} of ${called}, an MCP server`,
    input,
    effect: 'read',
    isIdempotent: true,
    options: { title, route: null },
  };
}

const listInput = z.strictObject({ cursor: z.string().optional() });
const readInput = z.strictObject({ uri: z.string() });
const promptInput = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.string()) });

const listing = (service: ServiceKey): OfferAct => ({
  itemOf: () => resourcesItem,
  ask: async (session, inputs, signal) => {
    const { cursor = null } = listInput.parse(inputs);
    const listed = await session.listResources(cursor, signal);
    if (!listed.ok) return listed;
    const resources = listed.value.resources.map((one) => ({ ...one, uri: remoteUri(service, one.uri) }));
    return ok(succeeded({ resources, next: listed.value.next }));
  },
});

const reading = (service: ServiceKey): OfferAct => ({
  itemOf: () => resourcesItem,
  ask: async (session, inputs, signal) => {
    const read = await session.readResource(readInput.parse(inputs).uri, signal);
    if (!read.ok) return read;
    return ok(succeeded({ contents: read.value.map((one) => ({ ...one, uri: remoteUri(service, one.uri) })) }));
  },
});

const prompting: OfferAct = {
  itemOf: (inputs) => itemName('prompt', promptInput.parse(inputs).name),
  ask: async (session, inputs, signal) => {
    const { name, arguments: args } = promptInput.parse(inputs);
    const got = await session.getPrompt({ name, args }, signal);
    return got.ok ? ok(succeeded({ messages: got.value })) : got;
  },
};

function promptOf(item: RemoteTool, name: string, called: string): OfferedPrompt {
  const { name: asked } = readItem(item.name);
  const { properties, required } = item.inputSchema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const args = Object.entries(isSchema(properties) ? properties : {}).map(([argument, given]) => ({
    name: argument,
    description: isSchema(given) && typeof given['description'] === 'string' ? given['description'] : '',
    required: needed.includes(argument),
  }));
  return { name, asked, ...words(item, `A prompt of ${called}: ${asked}`, called, asked), arguments: args };
}

function templateOf(item: RemoteTool, service: ServiceKey, called: string): OfferedTemplate {
  const { name: uriTemplate } = readItem(item.name);
  const { title, description } = words(item, `Resources of ${called}`, called, uriTemplate);
  return { uriTemplate: remoteUri(service, uriTemplate), name: `${service}: ${title}`, title, description };
}

/** The title and the description of an item, as its server's own words. */
function words(item: RemoteTool, none: string, called: string, name: string) {
  const text = plain(item.description, maxDescription).trim();
  return {
    title: plain(item.title ?? name, maxTitle).replaceAll('\n', ' '),
    description: text === '' ? none : `${called} says: ${text}`,
  };
}
