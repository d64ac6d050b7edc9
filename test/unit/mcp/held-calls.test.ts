import { afterEach, describe, expect, it, vi } from 'vitest';
import { InputRequired, RetryingClient } from '#adapters/mcp/protocol/input-required.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { RequestStates } from '#adapters/mcp/protocol/request-states.ts';
import { HeldCalls } from '#adapters/mcp/tools/held-calls.ts';
import type { QuestionAnswer } from '#application/ports/service-gateway.ts';

const states = new RequestStates(new Uint8Array(32), { now: () => 1_000 });
const question = { message: 'Which word?', schema: { type: 'object' } };
const textOf = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const said = ({ action, content }: QuestionAnswer): ToolResult =>
  textOf(`${action} ${String(content?.['word'] ?? '')}`);
const accept = (word: string) => ({ answer: { action: 'accept', content: { word } } });

type Request = Readonly<{ userId?: number; params?: Record<string, unknown>; signal?: AbortSignal }>;
type Begin = Parameters<HeldCalls['run']>[1];

const asks: Begin = async ({ onQuestion }) => said(await onQuestion(question));

/** One request of a client that has forms: its result, or the state with which it is repeated. */
async function request(held: HeldCalls, begin: Begin, { userId = 1, params = {}, signal }: Request = {}) {
  const client = new RetryingClient({ elicitation: {} }, states, { userId, method: 'tools/call', params });
  const asking = { userId, client, signal: signal ?? new AbortController().signal, title: 'Odd' };
  try {
    return { result: await held.run(asking, begin), state: null };
  } catch (error) {
    if (!(error instanceof InputRequired)) throw error;
    return { result: null, state: error.requestState };
  }
}
const repeated = (held: HeldCalls, requestState: string | null, inputResponses: object, more: Request = {}) =>
  request(held, () => Promise.reject(new Error('begun again')), {
    ...more,
    params: { requestState: requestState ?? '', inputResponses },
  });

afterEach(() => vi.useRealTimers());

describe('a call whose service asks its user', () => {
  it('goes on with the answer of the repeated request, and is not begun again (REMOTE-018)', async () => {
    const held = new HeldCalls();
    const { state } = await request(held, asks);
    expect((await repeated(held, state, accept('yes'))).result).toEqual(textOf('accept yes'));
  });

  it('asks nobody where another server may get the answer (REMOTE-018)', async () => {
    const held = new HeldCalls(() => false);
    expect((await request(held, asks)).result).toEqual(textOf('cancel '));
  });

  it('has its question cancelled after 10 minutes, and its answer is too late (REMOTE-018)', async () => {
    vi.useFakeTimers();
    const held = new HeldCalls();
    const answers: QuestionAnswer[] = [];
    const { state } = await request(held, async ({ onQuestion }) => {
      answers.push(await onQuestion(question));
      return textOf('done');
    });
    await vi.advanceTimersByTimeAsync(599_000);
    expect(answers).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answers).toEqual([{ action: 'cancel' }]);
    expect((await repeated(held, state, accept('late'))).result).toMatchObject({ isError: true });
  });

  it('may be one of ten of a user that wait; others go on (REMOTE-018)', async () => {
    const held = new HeldCalls();
    for (let call = 0; call < 10; call += 1) expect((await request(held, asks)).state).not.toBeNull();
    expect((await request(held, asks)).result).toEqual(textOf('cancel '));
    expect((await request(held, asks, { userId: 2 })).state).not.toBeNull();
  });

  it('that ended meanwhile gives its result to the repeated request (REMOTE-018)', async () => {
    const held = new HeldCalls();
    const ending = Promise.withResolvers<ToolResult>();
    const { state } = await request(held, ({ onQuestion }) => {
      void onQuestion(question);
      return ending.promise;
    });
    ending.resolve(textOf('ended'));
    await ending.promise;
    expect((await repeated(held, state, accept('late'))).result).toEqual(textOf('ended'));
  });

  it.each(['the first request', 'the repeated one'])('is cancelled with %s (REMOTE-018)', async (which) => {
    const held = new HeldCalls();
    const caller = new AbortController();
    const isFirst = which === 'the first request';
    const hanging: Begin = async ({ onQuestion, signal }) => {
      if (!isFirst) await onQuestion(question);
      const { promise, resolve } = Promise.withResolvers<ToolResult>();
      signal.addEventListener('abort', () => resolve(textOf('cancelled')), { once: true });
      return promise;
    };
    const running = isFirst
      ? request(held, hanging, { signal: caller.signal })
      : repeated(held, (await request(held, hanging)).state, accept('go'), { signal: caller.signal });
    setTimeout(() => caller.abort(), 10);
    expect((await running).result).toEqual(textOf('cancelled'));
  });

  it('fails as it does, and passes on what its own questions to the client throw (REMOTE-018)', async () => {
    const held = new HeldCalls();
    await expect(request(held, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const confirming: Begin = () => Promise.reject(new InputRequired({}, 'the state'));
    expect((await request(held, confirming)).state).toBe('the state');
  });
});
