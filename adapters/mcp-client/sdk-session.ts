import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type {
  ListedTools,
  RemoteCall,
  RemoteFailure,
  RemoteResult,
  RemoteSession,
  SessionOptions,
} from '#adapters/contracts/remote-sessions.ts';
import { readTools, toolsPage } from '#adapters/mcp-client/read-tools.ts';
import { isLate, type SessionTrouble } from '#adapters/mcp-client/session-trouble.ts';
import { isObject } from '#domain/json/json-data.ts';
import { maxRemoteTools } from '#domain/remote-servers/pinned-list.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** How long a list of tools may take, and a call at most whatever its caller waits for, in ms. */
const listingMs = 15_000;
const callMs = 600_000;
/** The maximum number of pages of a list of tools. */
const maxPages = 20;
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

  async listTools(signal: AbortSignal): Promise<Result<ListedTools, RemoteFailure>> {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    try {
      for (let page = 0; page < maxPages && tools.length <= maxRemoteTools; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const answer = await this.#client.request({ method: 'tools/list', params }, toolsPage, {
          signal,
          timeout: listingMs,
        });
        tools.push(...answer.tools);
        cursor = answer.nextCursor;
        if (cursor === undefined) break;
      }
      return ok(readTools(tools));
    } catch (error) {
      return err(this.#trouble.failureOf(error));
    }
  }

  async call({ name, input, signal, onProgress, ask }: RemoteCall): Promise<Result<RemoteResult, RemoteFailure>> {
    if (ask !== undefined) this.#asking.push(ask);
    let progressedAt = -Infinity;
    const onprogress: Parameters<Client['request']>[2] =
      onProgress === undefined
        ? {}
        : {
            onprogress: ({ progress, total, message }) => {
              if (performance.now() - progressedAt < progressMs) return;
              progressedAt = performance.now();
              onProgress({ done: progress, total: total ?? null, message: plain(message ?? '', maxQuestion) });
            },
          };
    try {
      const request = { method: 'tools/call', params: { name, arguments: { ...input } } } as const;
      const answer = await this.#client.request(request, CallToolResultSchema, {
        signal,
        timeout: callMs,
        ...onprogress,
      });
      const { content, structuredContent, isError } = answer;
      return ok({
        content,
        structured: isObject(structuredContent) ? structuredContent : null,
        isError: isError === true,
      });
    } catch (error) {
      const failure = this.#trouble.failureOf(error);
      // What the transport refuses, it would refuse again: the next call opens another session.
      if (failure.reason !== 'rejected' && !signal.aborted && !isLate(error)) await this.close();
      return err(failure);
    } finally {
      if (ask !== undefined) this.#asking.splice(this.#asking.lastIndexOf(ask), 1);
    }
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
