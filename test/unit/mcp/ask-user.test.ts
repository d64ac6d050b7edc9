import { beforeEach, describe, expect, it } from 'vitest';
import type { AskableClient, ClientRequests } from '#adapters/mcp/protocol/client-requests.ts';
import { RpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { type RunAsked, runAsking } from '#adapters/mcp/tools/ask-user.ts';
import { decisionsIn } from '#adapters/mcp/tools/decisions.ts';
import type { ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { AskedOfChange } from '#application/ports/service-gateway.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import { confirmFirst, failed, invalidInput, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { guest, type User } from '#domain/users/user.ts';

type Ran = Readonly<{ args: Readonly<Record<string, unknown>>; asked: AskedOfChange }>;

const user: User = { ...guest, id: 7 };
const asApp = (ask: AskChoice | null): User => ({ ...user, app: { grantId: 'G1', name: 'App', ask } });
const idle = () => new AbortController().signal;

let ran: Ran[];
let questions: { requests: ClientRequests; state: string | undefined }[];

beforeEach(() => {
  [ran, questions] = [[], []];
});

const confirmed = { action: 'accept', content: { confirm: true } };
const meant = (value: string) => ({ action: 'accept', content: { meant: value } });

/** A client that gives these answers, one a question. */
const clientWith = (
  modes: readonly string[],
  answers: readonly object[],
  state: string | null = null,
): AskableClient => ({
  state,
  can: () => true,
  elicits: (mode) => modes.includes(mode),
  ask: async (requests, kept) => {
    questions.push({ requests, state: kept });
    const answer = answers[questions.length - 1];
    if (answer === undefined) throw new RpcError(-32603, 'No answer');
    return { answer: { ...answer } };
  },
});

/** A call that ends with these outcomes, one a run; the last one stays. */
const ending =
  (...outcomes: readonly Outcome[]): RunAsked =>
  async (args, asked) => {
    ran.push({ args, asked });
    return outcomes[Math.min(ran.length, outcomes.length) - 1] ?? succeeded({});
  };

const asking = (client: AskableClient | undefined, more: Partial<ToolCall> = {}, who: User = user) => ({
  title: 'Deletes a deal',
  user: who,
  args: { person: 'Anna', labels: ['Bug', 'x'] },
  call: { signal: idle(), ...(client === undefined ? {} : { client }), ...more },
});
const toConfirm = (digest: string, text = '“Acme” (7)') => confirmFirst({ digest, effect: 'lose', text });
const ambiguous = (input: string, given: string, values: readonly string[]) =>
  invalidInput([
    {
      path: [input],
      message: `"${given}" names several persons.`,
      choice: { given, options: values.map((value) => ({ value, title: `Anna\u202E ${value}` })) },
    },
  ]);
const textOf = (place: number) => JSON.stringify(questions[place]?.requests);

describe('a change that loses something', () => {
  it('is made as it was confirmed, by its digest (TOOL-008, ASK-024)', async () => {
    const run = ending(toConfirm('D1'), succeeded({ id: 7 }));
    expect(await runAsking(run, asking(clientWith(['form'], [confirmed])))).toMatchObject({ ok: true });
    expect(ran.map(({ asked }) => asked.confirmed)).toEqual([null, 'D1']);
    expect(textOf(0)).toContain('“Acme” (7)');
    expect(textOf(0)).toContain('Deletes a deal?');
  });

  it('is asked about again when it is another one by then, at most five times (ASK-024)', async () => {
    const run = ending(toConfirm('D1'), toConfirm('D2'), succeeded({}));
    await runAsking(run, asking(clientWith(['form'], [confirmed, confirmed])));
    expect(ran.map(({ asked }) => asked.confirmed)).toEqual([null, 'D1', 'D2']);
    ran = [];
    questions = [];
    const restless: RunAsked = async (args, asked) => {
      ran.push({ args, asked });
      return toConfirm(`D${ran.length}`);
    };
    const outcome = await runAsking(
      restless,
      asking(
        clientWith(
          ['form'],
          Array.from({ length: 9 }, () => confirmed),
        ),
      ),
    );
    expect(outcome).toMatchObject({ ok: false, reason: 'conflict' });
    expect(questions).toHaveLength(5);
  });

  it.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: 'true' } }])(
    'is not made after %j (TOOL-008)',
    async (answer) => {
      const outcome = await runAsking(ending(toConfirm('D1')), asking(clientWith(['form'], [answer])));
      expect(outcome).toMatchObject({ ok: false, reason: 'declined', sent: 'no' });
      expect(ran).toHaveLength(1);
    },
  );

  it.each([
    ['a client that cannot ask', asking(undefined)],
    ['a client that only opens addresses', asking(clientWith(['url'], []))],
    ['a dry run', asking(clientWith(['form'], []), { asked: { isDry: true } })],
    ['an app whose user has chosen', asking(clientWith(['form'], []), {}, asApp('never'))],
  ])('is not to be confirmed by %s (ASK-024)', async (_, call) => {
    await runAsking(ending(succeeded({})), call);
    expect(ran).toHaveLength(1);
    expect(ran[0]?.asked).not.toHaveProperty('confirmed');
  });

  it('is to be confirmed by an app whose user has chosen nothing (ASK-024)', async () => {
    await runAsking(ending(succeeded({})), asking(clientWith(['form'], []), {}, asApp(null)));
    expect(ran[0]?.asked).toEqual({ confirmed: null });
  });
});

describe('a name that several things have', () => {
  it('becomes a choice by their names, and the call goes on with the chosen one (TOOL-023)', async () => {
    const run = ending(ambiguous('person', 'Anna', ['7', '8']), succeeded({}));
    expect(await runAsking(run, asking(clientWith(['form'], [meant('8')])))).toMatchObject({ ok: true });
    expect(ran[1]).toMatchObject({
      args: { person: '8', labels: ['Bug', 'x'] },
      asked: { given: { person: 'Anna' } },
    });
    expect(questions[0]?.requests['answer']?.params).toMatchObject({
      message: expect.stringContaining('Anna'),
      requestedSchema: { properties: { meant: { enum: ['7', '8'], enumNames: ['Anna\\u202e 7', 'Anna\\u202e 8'] } } },
    });
  });

  it('is replaced in a list, too (TOOL-023)', async () => {
    const run = ending(ambiguous('labels', 'Bug', ['L1', 'L2']), succeeded({}));
    await runAsking(run, asking(clientWith(['form'], [meant('L2')])));
    expect(ran[1]?.args).toEqual({ person: 'Anna', labels: ['L2', 'x'] });
  });

  it.each([{ action: 'decline' }, meant('9'), { action: 'accept' }])(
    'stays an error after %j (TOOL-023)',
    async (answer) => {
      const outcome = await runAsking(
        ending(ambiguous('person', 'Anna', ['7', '8'])),
        asking(clientWith(['form'], [answer])),
      );
      expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input' });
      expect(ran).toHaveLength(1);
    },
  );

  it('stays an error for a client that cannot ask (TOOL-023)', async () => {
    const outcome = await runAsking(ending(ambiguous('person', 'Anna', ['7', '8'])), asking(undefined));
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input' });
  });

  it('is kept in the state of a request that is repeated (TOOL-023)', async () => {
    const run = ending(ambiguous('person', 'Anna', ['7', '8']), toConfirm('D1'), succeeded({}));
    await runAsking(run, asking(clientWith(['form'], [meant('8'), confirmed])));
    const state = questions[1]?.state ?? '';
    ran = [];
    questions = [];
    await runAsking(ending(toConfirm('D1'), succeeded({})), asking(clientWith(['form'], [confirmed], state)));
    expect(ran.map(({ args }) => args['person'])).toEqual(['8', '8']);
    expect(questions.map((one) => one.state)).toEqual([state]);
  });
});

describe('an approval that a call waits for', () => {
  const approval = { id: 'A'.repeat(24), url: `http://localhost/approvals/${'A'.repeat(24)}`, expiresAt: 1 };
  const required = { ...failed('approval_required', 'A person has to allow this first.'), approval };
  const opened = { action: 'accept' };

  it('is given to a client that opens addresses, with its page (ASK-025)', async () => {
    const call = { ...asking(clientWith(['url'], [opened])), decided: async () => true };
    const outcome = await runAsking(ending(required, succeeded({ id: 7 })), call);
    expect(questions[0]?.requests['answer']?.params).toEqual({
      mode: 'url',
      elicitationId: approval.id,
      url: approval.url,
      message: expect.stringContaining('Deletes a deal?'),
    });
    expect(outcome).toEqual(succeeded({ id: 7 }));
    expect(ran[1]?.asked).toEqual({ approval: approval.id });
  });

  it('is answered as it is where nobody has decided yet, whatever the client says (ASK-025)', async () => {
    for (const answers of [[opened], [{ action: 'decline' }], [confirmed], []]) {
      [ran, questions] = [[], []];
      const call = { ...asking(clientWith(['url', 'form'], answers)), decided: async () => false };
      expect(await runAsking(ending(required, succeeded({})), call)).toBe(required);
      expect(ran).toHaveLength(1);
    }
  });

  it('is not shown again to a call that names it (ASK-025)', async () => {
    const call = asking(clientWith(['url'], [opened]), { asked: { approval: approval.id } });
    expect(await runAsking(ending(required), call)).toBe(required);
    expect(questions).toEqual([]);
  });

  it('is asked for by a request that is repeated, and the change is not asked again (ASK-025)', async () => {
    const state = JSON.stringify({ chosen: [], approval: approval.id });
    const call = { ...asking(clientWith(['url'], [opened], state)), decided: async () => true };
    expect(await runAsking(ending(succeeded({ id: 7 })), call)).toEqual(succeeded({ id: 7 }));
    expect(ran.map(({ asked }) => asked.approval)).toEqual([approval.id]);
  });

  it('is not shown to a client that only has forms (ASK-025)', async () => {
    expect(await runAsking(ending(required), asking(clientWith(['form'], [])))).toBe(required);
    expect(questions).toEqual([]);
  });

  it('counts as decided once it is neither waiting nor being made (ASK-025)', async () => {
    const states = ['waiting', 'running', 'done'];
    const find = async () => {
      const state = states.shift();
      return state === undefined ? null : JSON.parse(JSON.stringify({ state }));
    };
    expect(await decisionsIn({ find }, 1)(approval.id, idle())).toBe(true);
    expect(states).toEqual([]);
    expect(
      await decisionsIn({ find: async () => JSON.parse('{"state":"waiting"}') }, 1)('x', AbortSignal.abort()),
    ).toBe(false);
  });
});
