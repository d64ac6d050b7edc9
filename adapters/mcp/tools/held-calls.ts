import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AskableClient, ClientRequest } from '#adapters/mcp/protocol/client-requests.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import { type AskQuestion, answerIn, questionOf } from '#adapters/mcp/tools/asked-questions.ts';
import type { QuestionAnswer } from '#application/ports/service-gateway.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import { failed } from '#domain/operations/outcome.ts';

/** How long a question stays open, as the state of the request does, in ms; and how many calls may wait for answers. */
const openMs = 600_000;
const bounds = { perUser: 10, all: 500 };

/** The caller of one request: its user, the client, and what aborts when it no longer waits. */
type Asking = Readonly<{ userId: number; client: AskableClient; signal: AbortSignal; title: string }>;

/** Runs a call with what asks its user, until `signal` aborts. */
type Run = (asking: Readonly<{ onQuestion: AskQuestion; signal: AbortSignal }>) => Promise<ToolResult>;

const stateSchema = z.object({ held: z.string(), question: z.int() });

/** An open question of a call: its number in the call, the request to the client, and what takes the answer. */
type OpenQuestion = Readonly<{ number: number; request: ClientRequest; answer: (given: QuestionAnswer) => void }>;

/**
 * Calls whose service has asked the user something, for clients that end the request with the question and repeat it with
 * the answer (protocol 2026-07-28): the call goes on here meanwhile, and the repeated request has its result. One that
 * was begun is never begun again.
 */
export class HeldCalls {
  readonly #calls = new Map<string, HeldCall>();
  readonly #isAlone: () => boolean;

  /** `isAlone` tells whether this is the only server, so that the repeated request comes to it. */
  constructor(isAlone: () => boolean = () => true) {
    this.#isAlone = isAlone;
  }

  /** Whether a client gets its questions in this way. */
  takes(client: AskableClient | undefined): client is AskableClient {
    return client !== undefined && client.answersMeanwhile !== true && client.elicits('form');
  }

  /** Begins a call, or goes on with the one whose question the request answers. Throws what ends a request with a question. */
  async run({ userId, client, signal, title }: Asking, begin: Run): Promise<ToolResult> {
    const state = stateIn(client.state);
    const known = state === null ? null : this.#calls.get(state.held);
    if (known === null) {
      const call = new HeldCall({ userId, title, mayAsk: () => this.#mayAsk(userId) });
      call.begin(begin);
      return this.#next(call, client, signal);
    }
    if (known === undefined || known.userId !== userId) return notOpen;
    const { open } = known;
    if (open !== null && open.number === state?.question) {
      const { answer } = await client.ask({ answer: open.request }, known.state);
      open.answer(answerIn(answer));
    }
    return this.#next(known, client, signal);
  }

  /** The result of a call; at its next question the request ends with that. */
  async #next(call: HeldCall, client: AskableClient, signal: AbortSignal): Promise<ToolResult> {
    const cancel = (): void => call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const step = await call.next();
      if (step.kind === 'done') {
        this.#calls.delete(call.id);
        return step.result;
      }
      this.#calls.set(call.id, call);
      call.expire(openMs, () => this.#calls.delete(call.id));
      await client.ask({ answer: step.open.request }, call.state);
      return notOpen;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #mayAsk(userId: number): boolean {
    const own = [...this.#calls.values()].filter((call) => call.userId === userId).length;
    return this.#isAlone() && this.#calls.size < bounds.all && own < bounds.perUser;
  }
}

type Step = Readonly<{ kind: 'done'; result: ToolResult } | { kind: 'asks'; open: OpenQuestion }>;

/** One call that may ask its user. */
class HeldCall {
  readonly id = randomUUID();
  readonly userId: number;
  readonly #title: string;
  readonly #mayAsk: () => boolean;
  readonly #ending = new AbortController();
  #asked = Promise.withResolvers<Step>();
  #open: OpenQuestion | null = null;
  #questions = 0;
  #done: Promise<Step> = Promise.reject(new Error('The call has not begun.'));
  #expiry: NodeJS.Timeout | null = null;

  constructor({ userId, title, mayAsk }: Readonly<{ userId: number; title: string; mayAsk: () => boolean }>) {
    this.userId = userId;
    this.#title = title;
    this.#mayAsk = mayAsk;
    this.#done.catch(() => undefined);
  }

  /** The question that is open; null while there is none. */
  get open(): OpenQuestion | null {
    return this.#open;
  }

  /** What the client sends back with the answer to the question that is open. */
  get state(): string {
    return JSON.stringify({ held: this.id, question: this.#questions });
  }

  begin(run: Run): void {
    const running = run({ onQuestion: (question) => this.#ask(question), signal: this.#ending.signal });
    this.#done = running.then((result) => ({ kind: 'done', result }));
    this.#done.catch(() => undefined);
  }

  /** Its result, or its next question. Rejects as the call does. */
  next(): Promise<Step> {
    return Promise.race([this.#done, this.#asked.promise]);
  }

  /** Cancels it; a question that is open is cancelled, too. */
  cancel(): void {
    this.#open?.answer({ action: 'cancel' });
    this.#ending.abort();
  }

  /** Has the question that is open cancelled after a while, unless it is answered before. */
  expire(afterMs: number, onExpired: () => void): void {
    this.#rest();
    this.#expiry = setTimeout(() => {
      onExpired();
      this.cancel();
    }, afterMs).unref();
  }

  async #ask(question: Parameters<AskQuestion>[0]): Promise<QuestionAnswer> {
    if (this.#open !== null || this.#ending.signal.aborted || !this.#mayAsk()) return { action: 'cancel' };
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    this.#questions += 1;
    const answer = (given: QuestionAnswer): void => {
      this.#open = null;
      this.#asked = Promise.withResolvers<Step>();
      this.#rest();
      resolve(given);
    };
    this.#open = { number: this.#questions, request: questionOf(this.#title, question), answer };
    this.#asked.resolve({ kind: 'asks', open: this.#open });
    return promise;
  }

  #rest(): void {
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    this.#expiry = null;
  }
}

function stateIn(text: string | null): z.output<typeof stateSchema> | null {
  return stateSchema.safeParse(text === null ? null : jsonOrNull(text)).data ?? null;
}

const notOpen = refused(
  failed(
    'gone',
    'The question that this answers is not open any more, so the call has ended. Look at what it has done before you call again.',
    { sent: 'unknown' },
  ),
);
