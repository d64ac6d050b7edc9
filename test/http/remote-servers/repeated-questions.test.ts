import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { appAt, namesOf, oddService, serverWith } from '#test/support/remote-servers/remote-harness.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import type { WholeServer } from '#test/support/server/whole-server.ts';

const version = '2026-07-28';
const result = z.looseObject({
  resultType: z.string(),
  requestState: z.string().optional(),
  inputRequests: z.record(z.string(), z.looseObject({ params: z.looseObject({ message: z.string() }) })).optional(),
});
const body = z.looseObject({ result: result.optional(), error: z.looseObject({ code: z.number() }).optional() });

let folder: string;
let server: WholeServer;
let token: string;
let bobs: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-questions-'));
  const tools = ['echo', 'ask', 'twice', 'die'];
  const note = { name: 'note', inputSchema: { type: 'object' } };
  server = await serverWith([oddService([...tools, note], {}, { FILE: join(folder, 'marks') })], undefined, {
    TOOL_DEADLINE_MS: '2000',
  });
  const ada = await server.signedIn();
  const bob = await invited(server, ada, 'bob@example.com', { permissions: ['odd'] });
  token = await grantToken(server.origin, ada, { name: 'Modern' });
  bobs = await grantToken(server.origin, bob, { name: 'Bob' });
  const client = await appAt(server);
  await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toContain('odd_ask'), 15_000);
  await client.close();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Given = Readonly<{ inputResponses?: object; requestState?: string | undefined; arguments?: object }>;

/** A call of protocol 2026-07-28, by a client that has forms. */
const call = async (
  name: string,
  given: Given = {},
  by = token,
  capabilities: object = { elicitation: { form: {} } },
) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const params = { name, arguments: {}, _meta, ...given };
  const response = await fetch(`${server.origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  });
  return body.parse(await response.json());
};
const accept = (word: string) => ({ answer: { action: 'accept', content: { word } } });
const textIn = (answer: z.output<typeof body>) => JSON.stringify(answer.result ?? answer.error);

describe('a question of a remote server to the user of a client that repeats requests', () => {
  it('ends the request in its words, and the repeated one has the result (REMOTE-018)', async () => {
    const first = await call('odd_ask');
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        answer: {
          method: 'elicitation/create',
          params: { message: 'Odd asks, which is no approval of this server: Allow everything, always?' },
        },
      },
    });
    const second = await call('odd_ask', {
      inputResponses: accept('yes'),
      requestState: first.result?.requestState,
    });
    expect(second.result).toMatchObject({ resultType: 'complete' });
    expect(textIn(second)).toContain('yes');
  });

  it('waits for its user longer than a call may take (REMOTE-018)', async () => {
    const first = await call('odd_ask');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const second = await call('odd_ask', { inputResponses: accept('late'), requestState: first.result?.requestState });
    expect(textIn(second)).toContain('late');
  });

  it('is followed by another one of the same call, each answered by its own answer (REMOTE-018)', async () => {
    const first = await call('odd_twice');
    const second = await call('odd_twice', { inputResponses: accept('one'), requestState: first.result?.requestState });
    expect(second.result?.inputRequests?.['answer']?.params.message).toContain('second word?');
    // An answer to the first question answers nothing again.
    const again = await call('odd_twice', { inputResponses: accept('one'), requestState: first.result?.requestState });
    expect(again.result?.resultType).toBe('input_required');
    const third = await call('odd_twice', { inputResponses: accept('two'), requestState: second.result?.requestState });
    expect(textIn(third)).toContain('one two');
  });

  it.each(['decline', 'cancel'])('is answered that the user chose to %s (REMOTE-018)', async (action) => {
    const { result: first } = await call('odd_ask');
    const second = await call('odd_ask', { inputResponses: { answer: { action } }, requestState: first?.requestState });
    expect(textIn(second)).toContain(action);
  });

  it('is of no use to another user, for other arguments, or once it was answered (REMOTE-018)', async () => {
    const { result: first } = await call('odd_ask');
    const answered = { inputResponses: accept('mine'), requestState: first?.requestState };
    expect(await call('odd_ask', answered, bobs)).toMatchObject({ error: { code: -32602 } });
    expect(await call('odd_ask', { ...answered, arguments: { a: 1 } })).toMatchObject({ error: { code: -32602 } });
    expect(textIn(await call('odd_ask', answered))).toContain('mine');
    const over = await call('odd_ask', answered);
    expect(over.result).toMatchObject({ isError: true, structuredContent: { reason: 'gone' } });
  });

  it('is cancelled for a client without forms (REMOTE-018)', async () => {
    expect(textIn(await call('odd_ask', {}, token, {}))).toContain('cancel');
  });

  it('is not the question that is asked before a change, which comes first (REMOTE-018, TOOL-008)', async () => {
    const marks = async () => (await readFile(join(folder, 'marks'), 'utf8').catch(() => '')).trim();
    const given = { arguments: { mark: 'once' } };
    const first = await call('odd_note', given);
    expect(first.result?.inputRequests?.['answer']?.params.message).toContain('once');
    expect(await marks()).toBe('');
    const confirm = { answer: { action: 'accept', content: { confirm: true } } };
    const second = await call('odd_note', {
      ...given,
      inputResponses: confirm,
      requestState: first.result?.requestState,
    });
    expect(textIn(second)).toContain('noted');
    expect(await marks()).toBe('once');
  });
});
