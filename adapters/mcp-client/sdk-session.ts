import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type {
  ListedTools,
  RemoteCall,
  RemoteContents,
  RemoteFailure,
  RemoteMessage,
  RemotePrompt,
  RemoteResources,
  RemoteResult,
  RemoteSession,
  SessionOptions,
} from '#adapters/contracts/remote-sessions.ts';
import {
  contentsAnswer,
  promptAnswer,
  promptBounds,
  resourcesPage,
  templateBounds,
} from '#adapters/mcp-client/read-offers.ts';
import { readListed, toolBounds } from '#adapters/mcp-client/read-tools.ts';
import { isLate, type SessionTrouble } from '#adapters/mcp-client/session-trouble.ts';
import { isObject } from '#domain/json/json-data.ts';
import { allResources } from '#domain/remote-servers/remote-item.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** How long a list may take, and a call at most whatever its caller waits for, in ms. */
const listingMs = 15_000;
const callMs = 600_000;
/** The maximum number of pages of a list, and of entries of one page. */
const maxPages = 20;
const maxEntries = 2_000;
/** The maximum number of messages of a server within such a time, in ms: one that sends more is left. */
const maxMessages = 2_000;
const countedMs = 10_000;
/** How often changes of the list, and progress of a call, are passed on at most, in ms. */
const changesMs = 1_000;
const progressMs = 100;
/** The maximum length of a question, in characters, and of its schema, as JSON. */
const maxQuestion = 2_000;
const maxSchema = 16 * 1024;

const flooding: RemoteFailure = { reason: 'unavailable', message: 'It sends too many messages.', sent: 'unknown' };

type ListMethod = 'tools/list' | 'prompts/list' | 'resources/templates/list';

const toolList = { method: 'tools/list', member: 'tools', bounds: toolBounds } as const;
const promptList = { method: 'prompts/list', member: 'prompts', bounds: promptBounds } as const;
const templateList = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  bounds: templateBounds,
} as const;

/** Passes progress on, now and then. */
function progressTo(onProgress: NonNullable<RemoteCall['onProgress']>): NonNullable<RequestOptions['onprogress']> {
  let progressedAt = -Infinity;
  return ({ progress, total, message }) => {
    if (performance.now() - progressedAt < progressMs) return;
    progressedAt = performance.now();
    onProgress({ done: progress, total: total ?? null, message: plain(message ?? '', maxQuestion) });
  };
}

/** A session over the client of the SDK. */
export class SdkSession implements RemoteSession {
  readonly #client: Client;
  readonly #trouble: SessionTrouble;
  readonly #options: SessionOptions;
  /** The calls that run and can ask the user, the latest last: a server does not say which call it asks for. */
  readonly #asking: NonNullable<RemoteCall['ask']>[] = [];
  #isClosed = false;
  #messages = 0;
  #since = performance.now();
  #changing: NodeJS.Timeout | null = null;
  #hasOtherResources = false;

  constructor(client: Client, trouble: SessionTrouble, options: SessionOptions) {
    this.#client = client;
    this.#trouble = trouble;
    this.#options = options;
    Object.assign(client, {
      onclose: () => {
        this.#isClosed = true;
        if (this.#changing !== null) clearTimeout(this.#changing);
      },
    });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => this.#ask(params));
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#changed());
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.#changed());
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      this.#hasOtherResources = true;
      this.#changed();
    });
  }

  /** Counts the messages of a transport from now on. */
  begin(transport: Transport): void {
    const { onmessage } = transport;
    const counted: typeof onmessage = (message, extra) => {
      if (this.#isFlooded()) this.abandon(flooding);
      else onmessage?.(message, extra);
    };
    Object.assign(transport, { onmessage: counted });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async list(signal: AbortSignal): Promise<Result<ListedTools, RemoteFailure>> {
    const { tools: hasTools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const lists = [
      // A server that says nothing of what it can do may have tools.
      ...(hasTools !== undefined || (prompts === undefined && resources === undefined) ? [toolList] : []),
      ...(prompts === undefined ? [] : [promptList]),
      ...(resources === undefined ? [] : [templateList]),
    ];
    const tools: RemoteTool[] = resources === undefined ? [] : [allResources];
    const leftOut: ListedTools['leftOut'][number][] = [];
    for (const { method, member, bounds } of lists) {
      const entries = await this.#entries({ method, member, max: bounds.max }, signal);
      // Templates are asked for where resources are offered, which not every server has.
      if (!entries.ok && (entries.failure.reason !== 'rejected' || bounds === toolBounds)) return entries;
      const listed = readListed(entries.ok ? entries.value : [], bounds);
      tools.push(...listed.tools);
      leftOut.push(...listed.leftOut);
    }
    return ok({ tools, leftOut });
  }

  async call({ name, input, signal, onProgress, ask }: RemoteCall): Promise<Result<RemoteResult, RemoteFailure>> {
    if (ask !== undefined) this.#asking.push(ask);
    const request = { method: 'tools/call', params: { name, arguments: { ...input } } } as const;
    const more = onProgress === undefined ? {} : { onprogress: progressTo(onProgress) };
    try {
      const answer = await this.#request(request, CallToolResultSchema, { signal, timeout: callMs, ...more });
      if (!answer.ok) return answer;
      const { content, structuredContent, isError } = answer.value;
      const structured = isObject(structuredContent) ? structuredContent : null;
      return ok({ content, structured, isError: isError === true });
    } finally {
      if (ask !== undefined) this.#asking.splice(this.#asking.lastIndexOf(ask), 1);
    }
  }

  listResources(cursor: string | null, signal: AbortSignal): Promise<Result<RemoteResources, RemoteFailure>> {
    const params = cursor === null ? {} : { cursor };
    return this.#request({ method: 'resources/list', params }, resourcesPage, { signal, timeout: listingMs });
  }

  readResource(uri: string, signal: AbortSignal): Promise<Result<readonly RemoteContents[], RemoteFailure>> {
    return this.#request({ method: 'resources/read', params: { uri } }, contentsAnswer, { signal, timeout: callMs });
  }

  getPrompt(
    { name, args }: RemotePrompt,
    signal: AbortSignal,
  ): Promise<Result<readonly RemoteMessage[], RemoteFailure>> {
    const params = { name, arguments: { ...args } };
    return this.#request({ method: 'prompts/get', params }, promptAnswer, { signal, timeout: callMs });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.close().catch(() => undefined);
  }

  /** Ends the session for a reason, with which the calls that wait fail. */
  abandon(failure: RemoteFailure): void {
    this.#trouble.ended(failure);
    void this.close();
  }

  /** All entries of a list, over its pages, until there are too many. */
  async #entries(
    { method, member, max }: Readonly<{ method: ListMethod; member: string; max: number }>,
    signal: AbortSignal,
  ): Promise<Result<readonly unknown[], RemoteFailure>> {
    const page = z.looseObject({ [member]: z.array(z.unknown()), nextCursor: z.string().nullish() });
    const entries: unknown[] = [];
    let params = {};
    for (let pages = 0; pages < maxPages && entries.length <= max; pages += 1) {
      const answer = await this.#request({ method, params }, page, { signal, timeout: listingMs });
      if (!answer.ok) return answer;
      const { [member]: found, nextCursor: cursor } = answer.value;
      if (Array.isArray(found)) entries.push(...found.slice(0, maxEntries));
      if (typeof cursor !== 'string') break;
      params = { cursor };
    }
    return ok(entries);
  }

  /** Sends a request. A session whose transport failed is closed: the next call opens another one. */
  async #request<Schema extends z.ZodType>(
    request: Readonly<{ method: string; params: Record<string, unknown> }>,
    schema: Schema,
    options: RequestOptions & Readonly<{ signal: AbortSignal }>,
  ): Promise<Result<z.output<Schema>, RemoteFailure>> {
    try {
      return ok(await this.#client.request(request, schema, options));
    } catch (error) {
      const failure = this.#trouble.failureOf(error);
      if (failure.reason !== 'rejected' && !options.signal.aborted && !isLate(error)) await this.close();
      return err(failure);
    }
  }

  #isFlooded(): boolean {
    const now = performance.now();
    if (now - this.#since > countedMs) [this.#messages, this.#since] = [0, now];
    this.#messages += 1;
    return this.#messages > maxMessages;
  }

  #changed(): void {
    this.#changing ??= setTimeout(() => {
      this.#changing = null;
      this.#options.onListChanged();
      if (this.#hasOtherResources) this.#options.onResourcesChanged();
      this.#hasOtherResources = false;
    }, changesMs).unref();
  }

  /** Passes a question on; one that is too long, or that nobody can answer, is cancelled. */
  async #ask(params: Readonly<Record<string, unknown>>): Promise<ElicitResult> {
    const ask = this.#asking.at(-1);
    const { message, requestedSchema: schema } = params;
    const fits = typeof message === 'string' && isObject(schema) && JSON.stringify(schema).length <= maxSchema;
    if (ask === undefined || !fits) return { action: 'cancel' };
    const { action, content } = await ask({ message: plain(message, maxQuestion), schema });
    return action === 'accept' ? { action, content: { ...content } } : { action };
  }
}
