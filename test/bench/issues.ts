import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import got from 'got';
import { z } from 'zod';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** The key that the tracker of these servers takes. */
export const trackerKey = 'lin_api_a_key';

/** A tracker that answers every request with the same page of so many issues, and says that its limits are far. */
export async function startIssues(count: number) {
  const nodes = Array.from({ length: count }, (_, number) => issue(number));
  const pageInfo = { hasNextPage: true, hasPreviousPage: false, startCursor: 'a', endCursor: 'b' };
  const body = JSON.stringify({ data: { issues: { nodes, pageInfo } } });
  const limits = ['requests', 'complexity'].flatMap((name) => [
    [`x-ratelimit-${name}-limit`, '1000000000'],
    [`x-ratelimit-${name}-remaining`, '999000000'],
    [`x-ratelimit-${name}-reset`, String(Date.now() + 3_600_000)],
  ]);
  const headers = { ...Object.fromEntries(limits), 'content-type': 'application/json' };
  const server = await serveOnLoopback((request, response) => {
    request.resume().once('end', () => response.writeHead(200, headers).end(body));
  });
  return { ...server, headers: {} };
}

const issue = (number: number) => ({
  identifier: `ENG-${number}`,
  title: `The scanner of the gate reads label ${number} twice`,
  state: { id: `state-${number}`, name: 'In Progress', type: 'started' },
  priorityLabel: 'High',
  assignee: { id: `user-${number % 7}`, name: 'Ann Berg', displayName: 'ann', email: 'ann@example.org' },
  dueDate: '2026-12-01',
  estimate: 3,
  labels: { nodes: [{ id: 'label-1', name: 'Bug', color: '#d33' }], pageInfo: { hasNextPage: false } },
  project: { id: 'project-1', name: 'Rollout' },
  cycle: { id: 'cycle-1', number: 12 },
  team: { id: 'team-1', key: 'ENG', name: 'Engineering' },
  updatedAt: '2026-11-20T09:30:00.000Z',
  url: `https://tracker.example/ENG-${number}`,
  id: `5d9f7c1e-0b7d-4a53-9a52-${String(number).padStart(12, '0')}`,
  priority: 2,
  parent: null,
  createdAt: '2026-11-18T09:30:00.000Z',
  completedAt: null,
  archivedAt: null,
});

const callSchema = z.object({ id: z.number(), params: z.object({ arguments: z.object({ first: z.number() }) }) });
const query = 'query ($first: Int) { issues(first: $first) { nodes { id identifier title } } }';

/** A thin MCP server of the tracker: one request by bare got for each call, whose answer is sent as text. */
export async function startThin(tracker: string) {
  const call = got.extend({ headers: { authorization: trackerKey }, retry: { limit: 0 }, throwHttpErrors: false });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, params } = callSchema.parse(JSON.parse(await text(request)));
    const { body } = await call.post(`${tracker}/graphql`, { json: { query, variables: params.arguments } });
    const found: unknown = JSON.parse(body);
    const content = [{ type: 'text', text: JSON.stringify(found) }];
    const answered = JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
    const length = Buffer.byteLength(answered);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length }).end(answered);
  };
  const server = await serveOnLoopback((request, response) => void answer(request, response));
  return { ...server, headers: {} };
}
