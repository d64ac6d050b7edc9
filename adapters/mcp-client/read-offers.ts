import { z } from 'zod';
import type { RemoteContents, RemoteMessage, RemoteResources } from '#adapters/contracts/remote-sessions.ts';
import type { ListBounds } from '#adapters/mcp-client/read-tools.ts';
import { itemName } from '#domain/remote-servers/remote-item.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { isRemoteTemplate, isRemoteUri } from '#domain/remote-servers/remote-uri.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** The maximum numbers of prompts and templates of one server, and of the resources of one page. */
const maxPrompts = 100;
const maxTemplates = 50;
const maxResources = 500;
/** The maximum number of arguments of a prompt, of messages that it adds, and of contents of one resource. */
const maxArguments = 20;
const maxMessages = 100;
const maxContents = 100;
/** The maximum lengths of names and titles, of descriptions, and of a cursor, in characters. */
const maxName = 128;
const maxDescription = 8_000;
const maxArgumentText = 500;
const maxCursor = 2_000;

const name = z
  .string()
  .min(1)
  .max(maxName)
  .regex(/^[\w.\-/ ]+$/);
const text = z.string().nullish();
const mediaType = z
  .string()
  .max(maxName)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/s)
  .transform((type) => type.replace(/;.*$/s, ''))
  .nullish()
  .catch(null);

const prompt = z.object({
  name,
  title: text.catch(null),
  description: text,
  arguments: z
    .array(
      z.object({
        name: name.regex(/^[\w.-]+$/),
        title: text.catch(null),
        description: text,
        required: z.boolean().nullish(),
      }),
    )
    .max(maxArguments)
    .nullish(),
});

/** The bounds of the prompts of one server. */
export const promptBounds: ListBounds = { what: 'prompts', max: maxPrompts, read: readPrompt };

/** A prompt as an item, whose input schema has its arguments; or why it is none, as a phrase. */
function readPrompt(given: unknown): RemoteTool | string {
  const read = prompt.safeParse(given);
  if (!read.success) return 'is not a prompt as the protocol has it';
  const { name: own, title, description, arguments: args } = read.data;
  if ((description ?? '').length > maxDescription) return tooLong;
  const properties = (args ?? []).map(
    (one) => [one.name, { type: 'string', description: plain(one.description ?? '', maxArgumentText) }] as const,
  );
  const required = (args ?? []).flatMap((one) => (one.required === true ? [one.name] : []));
  const inputSchema = { type: 'object', properties: Object.fromEntries(properties), required };
  return item(itemName('prompt', own), { title, description, inputSchema });
}

const template = z.object({
  uriTemplate: z.string().refine(isRemoteTemplate),
  name: text.catch(null),
  title: text.catch(null),
  description: text,
});

/** The bounds of the templates of one server. */
export const templateBounds: ListBounds = { what: 'templates', max: maxTemplates, read: readTemplate };

/** A template of resources as an item; or why it is none, as a phrase. */
function readTemplate(given: unknown): RemoteTool | string {
  const read = template.safeParse(given);
  if (!read.success) return 'is not a template of URIs as the protocol has it';
  const { uriTemplate, name: own, title, description } = read.data;
  if ((description ?? '').length > maxDescription) return tooLong;
  return item(itemName('template', uriTemplate), { title: title ?? own, description, inputSchema: { type: 'object' } });
}

const tooLong = `has a description of more than ${maxDescription} characters`;

function item(
  named: string,
  {
    title,
    description,
    inputSchema,
  }: Pick<RemoteTool, 'inputSchema'> &
    Readonly<{ title?: string | null | undefined; description?: string | null | undefined }>,
): RemoteTool {
  return {
    name: named,
    title: title == null ? null : plain(title, maxName),
    description: description ?? '',
    inputSchema,
    outputSchema: null,
    hints: { readOnlyHint: true },
  };
}

const resource = z.object({
  uri: z.string().refine(isRemoteUri),
  name: text.catch(null),
  title: text.catch(null),
  mimeType: mediaType,
  size: z.int().min(0).nullish().catch(null),
});

/** A page of resources, of which those are read that have a usable URI; each once. */
export const resourcesPage = z
  .looseObject({ resources: z.array(z.unknown()), nextCursor: z.string().max(maxCursor).nullish() })
  .transform(({ resources, nextCursor }): RemoteResources => {
    const read = resources.slice(0, maxResources).flatMap((one) => resource.safeParse(one).data ?? []);
    const byUri = new Map(
      read.map(({ uri, name: own, title, mimeType, size }) => [
        uri,
        { uri, name: plain(title ?? own ?? uri, maxName), mimeType: mimeType ?? null, size: size ?? null },
      ]),
    );
    return { resources: [...byUri.values()], next: nextCursor ?? null };
  });

const contents = z.union([
  z.object({ uri: z.string(), mimeType: mediaType, text: z.string() }),
  z.object({ uri: z.string(), mimeType: mediaType, blob: z.string() }),
]);

/** The contents of a resource. */
export const contentsAnswer = z
  .looseObject({ contents: z.array(contents) })
  .transform(({ contents: all }): readonly RemoteContents[] =>
    all.slice(0, maxContents).map(({ mimeType, ...one }) => ({ ...one, mimeType: mimeType ?? null })),
  );

/** The messages of a prompt. */
export const promptAnswer = z
  .looseObject({
    messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.record(z.string(), z.unknown()) })),
  })
  .transform(({ messages }): readonly RemoteMessage[] => messages.slice(0, maxMessages));
