import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isObject } from '#adapters/mcp/protocol/json-rpc.ts';
import { textOf } from '#adapters/mcp/protocol/messages.ts';
import { headerText, type MessageAnswer, type MessageExchange } from '#adapters/mcp/transports/exchange.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { User } from '#domain/users/user.ts';

/** A message for a stream that is open on another server. */
export type ForwardedPost = Readonly<{
  stream: string;
  user: User;
  /** The protocol version that its header names; null without one. */
  version: string | null;
  value: unknown;
}>;

/** How long the server that has the stream may take to answer, in ms. */
const maxWaitMs = 5_000;

/**
 * When it is asked whether that server is still there, in ms after the message. It is given up when it is not there both times: it
 * may have lost its connection for a moment, with its answer on the way.
 */
const looksAtMs = [300, 1_000] as const;

const postSchema = z.object({
  ref: z.number(),
  stream: z.string(),
  user: z.custom<User>(isUser),
  version: z.string().nullable(),
  value: z.unknown(),
});

const answerSchema = z.object({
  ref: z.number(),
  status: z.number(),
  json: z.string().nullable(),
  retryAfterS: z.number().optional(),
});

/** Passes messages for streams on to the servers that have them open, and their answers back. */
export class ForwardedPosts {
  readonly #others: OtherServers;
  readonly #waiting = new Map<number, Readonly<{ owner: string; resolve(answer: MessageAnswer | null): void }>>();
  #last = 0;

  /** `take` answers a message for a stream of this server. */
  constructor(others: OtherServers, take: (post: ForwardedPost) => MessageAnswer) {
    this.#others = others;
    others.hear('mcp post', (body, from) => {
      const post = postSchema.safeParse(body);
      if (!post.success) return;
      const { status, json, retryAfterS } = take(post.data);
      const text = json === null ? null : textOf(json);
      others.tell('mcp posted', { ref: post.data.ref, status, json: text, retryAfterS }, from);
    });
    others.hear('mcp posted', (body, from) => {
      const answer = answerSchema.safeParse(body);
      if (!answer.success) return;
      const { ref, status, json, retryAfterS } = answer.data;
      const waiting = this.#waiting.get(ref);
      if (waiting?.owner !== from) return;
      waiting.resolve({ status, json, ...(retryAfterS === undefined ? {} : { retryAfterS }) });
    });
  }

  /** The id of a new stream: it names this server when there may be others. */
  idOf(token: string): string {
    return this.#others.isAlone() ? token : `${this.#others.serverId}.${token}`;
  }

  /** Whether a stream's id names another server. */
  isElsewhere(id: string): boolean {
    const owner = ownerOf(id);
    return owner !== null && owner !== this.#others.serverId && !this.#others.isAlone();
  }

  /** The answer of the server that has the stream; null when there is no such server. */
  async send(stream: string, { user, headers }: MessageExchange, value: unknown): Promise<MessageAnswer | null> {
    const owner = ownerOf(stream) ?? '';
    this.#last += 1;
    const ref = this.#last;
    const { promise, resolve } = Promise.withResolvers<MessageAnswer | null>();
    const timer = setTimeout(() => resolve(null), maxWaitMs).unref();
    this.#waiting.set(ref, { owner, resolve });
    const version = headerText(headers['mcp-protocol-version']) ?? null;
    this.#others.tell('mcp post', { ref, stream, user, version, value }, owner);
    const over = new AbortController();
    void this.#giveUp(owner, over.signal, () => resolve(null));
    const answer = await promise;
    over.abort();
    clearTimeout(timer);
    this.#waiting.delete(ref);
    return answer;
  }

  /** Calls back when the owner is there at none of the looks; not when it is over before. */
  async #giveUp(owner: string, over: AbortSignal, isGone: () => void): Promise<void> {
    let lookedAt = 0;
    for (const lookAt of looksAtMs) {
      if (!(await hasPassed(lookAt - lookedAt, over)) || (await this.#others.isThere(owner))) return;
      lookedAt = lookAt;
    }
    isGone();
  }
}

/** Waits; false when it is over before. */
function hasPassed(ms: number, over: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal: over, ref: false }).catch(() => false);
}

/** The server in a stream's id; null for an id that names none. */
function ownerOf(id: string): string | null {
  return /^([\w-]{1,64})\.[\w-]+$/.exec(id)?.[1] ?? null;
}

/** The sender has authenticated the user, and only servers with our keys can send. */
function isUser(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'number' && Array.isArray(value['permissions']);
}
