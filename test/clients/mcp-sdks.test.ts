import * as v2 from '@modelcontextprotocol/client';
import * as v2Stdio from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { casesOf } from '#test/support/form.ts';
import { type ClientHarness, openClientHarness } from '#test/support/mcp/client-harness.ts';
import { workThrough } from '#test/support/mcp/client-work.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

let harness: ClientHarness;
let program: string;
beforeAll(async () => {
  program = await testedProgram('bootstrap/stdio.ts');
  harness = await openClientHarness({ OAUTH_METADATA: 'on' });
});
afterAll(() => harness[Symbol.asyncDispose]());

const identity = { name: 'sextant', version: '1.0.0' };
const at = (path: string) => new URL(path, harness.baseUrl);
const signedIn = () => ({ requestInit: { headers: { authorization: `Bearer ${harness.token}` } } });
const here = () => ({ ...programEnvironment(), ...harness.besideIt });
const byToken = () => ({
  command: process.execPath,
  args: [program],
  env: { ...here(), PORTOLAN_TOKEN: harness.token },
});
const byEmail = () => ({
  command: 'npm',
  args: ['run', '--silent', 'stdio'],
  env: { ...here(), PORTOLAN_EMAIL: ada.email },
});

type Transport = StreamableHTTPClientTransport | SSEClientTransport | StdioClientTransport;

/**
 * Ends a client that met no fault. Closing breaks off what it still waits for, such as that a message it posted is acknowledged, when the
 * answer has come on the stream already: each SDK reports that as a fault of its own doing.
 */
const closed = async (client: Client | v2.Client, faults: readonly Error[]): Promise<void> => {
  expect(faults).toEqual([]);
  await client.close();
  expect(faults.filter(({ name }) => name !== 'AbortError')).toEqual([]);
};

describe('the client of SDK 1 works with tools, resources and prompts', () => {
  const ways: readonly [string, () => Transport][] = [
    ['Streamable HTTP', () => new StreamableHTTPClientTransport(at('/message'), signedIn())],
    ['HTTP with SSE', () => new SSEClientTransport(at('/sse'), signedIn())],
    ['standard input and output, by PORTOLAN_TOKEN', () => new StdioClientTransport(byToken())],
    ['standard input and output of npm, by PORTOLAN_EMAIL', () => new StdioClientTransport(byEmail())],
  ];

  // Standard input and output by the token is a process each time: the short form has it with SDK 2.
  it.each(casesOf(ways, ([way]) => !way.endsWith('PORTOLAN_TOKEN')))('over %s', async (way, open) => {
    const client = new Client(identity);
    const faults: Error[] = [];
    Object.assign(client, { onerror: (fault: Error) => faults.push(fault) });
    await client.connect(open());
    await workThrough(client, harness, `SDK 1 ${way}`);
    await closed(client, faults);
  });
});

type Mode = NonNullable<v2.VersionNegotiationOptions['mode']>;
const modern = { pin: '2026-07-28' };
const http = () => new v2.StreamableHTTPClientTransport(at('/message'), signedIn());
const sse = () => new v2.SSEClientTransport(at('/sse'), signedIn());
const stdio = () => new v2Stdio.StdioClientTransport(byToken());

/** Connects in that mode, by a person who says yes to whatever is asked. */
const connected = async (transport: v2.Transport, mode: Mode) => {
  const options = { versionNegotiation: { mode }, capabilities: { elicitation: {} } };
  const client = new v2.Client(identity, options);
  const faults: Error[] = [];
  const asked: string[] = [];
  Object.assign(client, { onerror: (fault: Error) => faults.push(fault) });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { confirm: true } };
  });
  await client.connect(transport);
  return { client, faults, asked };
};

/** Subscribes the client to a note and to the list of notes, in the way of its era; the addresses of its notifications. */
const watching = async (client: v2.Client, mode: 'legacy' | 'modern', uri: string) => {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('the list'));
  if (mode === 'legacy') await client.subscribeResource({ uri });
  else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
  return heard;
};

const eras: readonly [string, string, () => v2.Transport, Mode][] = [
  ['Streamable HTTP', '2026-07-28', http, modern],
  ['Streamable HTTP, left to find out', '2026-07-28', http, 'auto'],
  ['Streamable HTTP', '2025-11-25', http, 'legacy'],
  ['HTTP with SSE', '2025-11-25', sse, 'legacy'],
  ['HTTP with SSE, left to find out', '2025-11-25', sse, 'auto'],
  ['standard input and output', '2026-07-28', stdio, modern],
  ['standard input and output, left to find out', '2026-07-28', stdio, 'auto'],
  ['standard input and output', '2025-11-25', stdio, 'legacy'],
];

// On standard input and output each case is a process: the short form finds out the version over HTTP only.
const kept = casesOf(eras, ([way]) => !(way.startsWith('standard') && way.endsWith('find out')));
describe.each(kept)('the client of SDK 2 over %s in protocol %s', (way, version, open, mode) => {
  it('works with tools, resources and prompts, is notified of what it watches, and asks before a note is lost', async () => {
    const { client, faults, asked } = await connected(open(), mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'portolan', title: 'Portolan' });
    const name = `SDK 2 ${way} ${version}`;
    const path = `Work/${name} ä & ö.md`;
    const uri = `vault://${path.split('/').map(encodeURIComponent).join('/')}`;
    const heard = await watching(client, version === '2026-07-28' ? 'modern' : 'legacy', uri);
    await workThrough(client, harness, name);
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual(expect.arrayContaining([uri, 'the list']));
    await client.callTool({ name: 'vault_note_delete', arguments: { path } });
    expect(asked).toEqual([expect.stringContaining(path)]);
    const gone = await client.callTool({ name: 'vault_note_read', arguments: { path } });
    expect(gone).toMatchObject({ isError: true });
    await closed(client, faults);
  });
});
