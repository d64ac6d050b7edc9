import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import { rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { textOf } from '#adapters/mcp/protocol/messages.ts';
import { headerText } from '#adapters/mcp/transports/exchange.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { User } from '#domain/users/user.ts';

/** A message for a stream that is open on another server. */
export type ForwardedPost = Readonly<{
  stream: string;
  user: User;
  /** The protocol version in its header; null without one. */
  version: string | null;
  value: unknown;
}>;

/** How long the server that owns the stream may take to answer, in ms. */
const maxWaitMs = 5_000;

/**
 * When to check whether the owning server has ended, in ms after the message. It is given up when two checks in a row
 * say so: it may have been away for a moment, with its answer in flight.
 */
const checkAtMs = [300, 1_000, 3_500, 4_500] as const;

/** The answer while it is not known whether a stream is open elsewhere: the client must not take it for ended. */
const unknown: MessageAnswer = {
  status: 503,
  json: rpcError(null, rpcCodes.refused, 'The server with this session cannot be reached at the moment; try again.'),
  retryAfterS: 5,
};

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

/** Forwards messages to the servers that have the stream open, and their answers back. */
export class ForwardedPosts {
  readonly #others: OtherServers;
  readonly #waiting = new Map<number, Readonly<{ owner: string; resolve(answer: MessageAnswer | null): void }>>();
  #last = 0;

  /** `take` answers a message for a stream of this server. */
  constructor(others: OtherServers, take: (post: ForwardedPost) => Promise<MessageAnswer>) {
    this.#others = others;
    others.subscribe('mcp post', (body, from) => {
      const post = postSchema.safeParse(body);
      if (!post.success) return;
      const { ref } = post.data;
      const say = ({ status, json, retryAfterS }: MessageAnswer): void => {
        const text = json === null ? null : textOf(json);
        others.publish('mcp posted', { ref, status, json: text, retryAfterS }, from);
      };
      take(post.data).then(say, () => say(unknown));
    });
    others.subscribe('mcp posted', (body, from) => {
      const answer = answerSchema.safeParse(body);
      if (!answer.success) return;
      const { ref, status, json, retryAfterS } = answer.data;
      const waiting = this.#waiting.get(ref);
      if (waiting?.owner !== from) return;
      waiting.resolve({ status, json, ...(retryAfterS === undefined ? {} : { retryAfterS }) });
    });
  }

  /** The id of a new stream, which names this server when there may be others. */
  idOf(token: string): string {
    return this.#others.isAlone() ? token : `${this.#others.serverId}.${token}`;
  }

  /** Whether a stream's id names another server. */
  isElsewhere(id: string): boolean {
    const owner = ownerOf(id);
    return owner !== null && owner !== this.#others.serverId && !this.#others.isAlone();
  }

  /**
   * Forwards a message to the server that has the stream and returns its answer; null when that server has certainly
   * ended.
   */
  async send(stream: string, { user, headers }: MessageExchange, value: unknown): Promise<MessageAnswer | null> {
    // The answer could not be heard: the client would repeat what the owner has done.
    if (!this.#others.isHearing()) return unknown;
    const owner = ownerOf(stream) ?? '';
    this.#last += 1;
    const ref = this.#last;
    const { promise, resolve } = Promise.withResolvers<MessageAnswer | null>();
    const timer = setTimeout(() => resolve(unknown), maxWaitMs).unref();
    this.#waiting.set(ref, { owner, resolve });
    const version = headerText(headers['mcp-protocol-version']) ?? null;
    this.#others.publish('mcp post', { ref, stream, user, version, value }, owner);
    const over = new AbortController();
    void this.#giveUp(owner, over.signal, () => resolve(null));
    const answer = await promise;
    over.abort();
    clearTimeout(timer);
    this.#waiting.delete(ref);
    return answer;
  }

  /** Calls back when the owner has ended, unless `over` aborts first. */
  async #giveUp(owner: string, over: AbortSignal, isGone: () => void): Promise<void> {
    let [checkedAt, inARow] = [0, 0];
    for (const checkAt of checkAtMs) {
      if (!(await hasPassed(checkAt - checkedAt, over))) return;
      checkedAt = checkAt;
      inARow = (await this.#others.isGone(owner)) ? inARow + 1 : 0;
      if (inARow === 2) return isGone();
    }
  }
}

/** Waits; false when `over` aborts first. */
function hasPassed(ms: number, over: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal: over, ref: false }).catch(() => false);
}

/** The server named in a stream's id; null when it names none. */
function ownerOf(id: string): string | null {
  return /^([\w-]{1,64})\.[\w-]+$/.exec(id)?.[1] ?? null;
}

/** A minimal check: the sender has authenticated the user, and the receiver looks them up again. */
function isUser(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'number' && Array.isArray(value['permissions']);
}
