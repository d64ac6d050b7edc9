import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf, isLong } from '#test/support/form.ts';
import { type ClientHarness, openClientHarness } from '#test/support/mcp/client-harness.ts';
import { useEachMethod, useTools } from '#test/support/mcp/client-work.ts';
import { inspect, inspectorClient } from '#test/support/mcp/inspector.ts';
import { fetchedCommand, reportSkipped } from '#test/support/network/fetched-command.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

const inspector = await fetchedCommand('@modelcontextprotocol/inspector@2.12.0', 'mcp-inspector');
reportSkipped(inspector);

let harness: ClientHarness;
let home: string;
beforeAll(async () => {
  harness = await openClientHarness();
  home = await mkdtemp(join(tmpdir(), 'portolan-inspector-'));
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const over = (path: string, transport: string) => {
  const header = `Authorization: Bearer ${harness.token}`;
  return ['--server-url', `${harness.baseUrl}${path}`, '--transport', transport, '--header', header];
};
const http = () => over('/message', 'http');
const sse = () => over('/sse', 'sse');
const stdio = async () => {
  const { NODE_COMPILE_CACHE = '' } = programEnvironment();
  const env = { ...harness.besideIt, PORTOLAN_TOKEN: harness.token, NODE_COMPILE_CACHE };
  const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return ['node', await testedProgram('bootstrap/stdio.ts'), ...settings];
};
const way = (server: readonly string[], era: string) => ({
  file: inspector.file ?? '',
  home,
  server: [...server, '--protocol-era', era],
});

describe.skipIf(inspector.file === null)('the command line of the MCP Inspector', () => {
  const ways = [
    ['HTTP', 'modern', http],
    ['HTTP', 'legacy', http],
    ['SSE', 'legacy', sse],
    ['standard input and output', 'modern', stdio],
    ['standard input and output', 'legacy', stdio],
  ] as const;
  // Each use of the Inspector is a process: one way of each era is enough to see it work.
  const isKept = ([transport, era]: (typeof ways)[number]) =>
    (transport === 'HTTP') === (era === 'modern') && transport !== 'SSE';
  it.each(casesOf(ways, isKept))(
    'works over %s in the %s era',
    { timeout: 300_000 },
    async (transport, era, server) => {
      const client = inspectorClient(way(await server(), era));
      // On standard input and output each use is a server besides.
      const use = isLong || transport === 'HTTP' ? useEachMethod : useTools;
      await use(client, harness, `Inspector ${transport} ${era}`);
    },
  );

  it('finds every tool portable; only values that other systems store, such as the value of a field, may be of any type', async () => {
    const { code, said } = await inspect(way(http(), 'modern'), 'tools/list', '--strict');
    const faults = said.split('\n\n').filter((fault) => fault.includes('Path: '));
    const isOfAnything = (fault: string) =>
      /Path: (?:outputSchema|inputSchema\.patternProperties)/.test(fault) &&
      fault.includes('carries no validation keyword');
    expect({ code, faults: faults.filter((fault) => !isOfAnything(fault)) }).toEqual({ code: 0, faults: [] });
  });
});
