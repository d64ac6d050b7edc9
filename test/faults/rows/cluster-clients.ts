import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openCluster } from '#test/support/server/cluster.ts';

/** Within which a client has its stream again by itself, in ms: the SDK's waits for three seconds. */
const backWithinMs = 60_000;
const clientsOfEach = 4;

/** A server that is killed while clients of the SDK have sessions and streams. */
export const clientsOfKilled: FaultRow = {
  subject: 'cluster',
  fault: 'a server killed under MCP clients',
  holds:
    'Clients go on within their sessions and open their streams again at other servers, without signing in (CLU-004)',
  run,
};

type Connected = Readonly<{ client: Client; sessionId: () => string | undefined }>;

async function run({ isShort }: Extent): Promise<Measured> {
  await using cluster = await openCluster({ servers: isShort ? 2 : 3, as: 'processes', env: { RATE_LIMITS: 'off' } });
  const token = await accessToken({ origin: cluster.origin });
  const streamable: Connected[] = [];
  const streams: Connected[] = [];
  for (let count = 0; count < clientsOfEach; count += 1) {
    streamable.push(await connected('/message', cluster.origin, token));
    streams.push(await connected('/sse', cluster.origin, token));
  }
  const problems: string[] = [];
  let calls = 0;
  const call = async ({ client }: Connected): Promise<boolean> => {
    calls += 1;
    const { isError } = await client.callTool({ name: 'vault_vault_list', arguments: {} });
    return isError !== true;
  };
  const isAnswered = (one: Connected) => call(one).catch(() => false);

  for (const server of cluster.servers.slice(0, isShort ? 1 : 3)) {
    const sessions = streamable.map(({ sessionId }) => sessionId());
    if (sessions.includes(undefined)) problems.push('A client of Streamable HTTP has no session.');
    await server.kill();
    for (const [index, one] of streamable.entries()) {
      // What was on its way may have been lost with the server: it is repeated once.
      if (!(await isAnswered(one)) && !(await isAnswered(one))) problems.push(`Session ${index} did not go on.`);
      if (one.sessionId() !== sessions[index]) problems.push(`Session ${index} is another.`);
    }
    const killedAt = Date.now();
    const isBack = await Promise.all(
      streams.map(async (one) => {
        while (Date.now() - killedAt < backWithinMs) {
          if (await isAnswered(one)) return true;
          await delay(200);
        }
        return false;
      }),
    );
    isBack.forEach((is, index) => {
      if (!is) problems.push(`Stream ${index} did not come back.`);
    });
    await server.start();
  }
  await Promise.all([...streamable, ...streams].map(({ client }) => client.close()));
  return { load: `${calls} calls`, acknowledged: calls, lost: 0, doubled: 0, recoveredAfterMs: 0, problems };
}

/** A client with a session: one that can be asked questions. */
async function connected(path: '/message' | '/sse', origin: string, token: string): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(path, origin);
  if (path === '/sse') {
    await client.connect(new SSEClientTransport(url, { requestInit }));
    return { client, sessionId: () => undefined };
  }
  const transport = new StreamableHTTPClientTransport(url, { requestInit });
  await client.connect(transport);
  return { client, sessionId: () => transport.sessionId };
}
