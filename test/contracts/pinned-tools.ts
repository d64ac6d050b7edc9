import assert from 'node:assert/strict';
import type { PinnedTools } from '#application/ports/pinned-tools.ts';
import type { PinnedList, PinnedTool } from '#domain/remote-servers/pinned-list.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;

/** A schema with what stores tend to lose: the order of members, numbers at their bounds, names that every object inherits. */
const schema = (): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: {
    zeta: { type: 'number', minimum: -0.1, maximum: 1e21, default: Number.MAX_SAFE_INTEGER },
    alpha: { type: 'string', description: oddText, enum: [null, true, '', []] },
    constructor: JSON.parse('{ "__proto__": { "type": "string" } }'),
  },
  required: ['zeta'],
});

const tool = (more: Partial<RemoteTool> = {}): RemoteTool => ({
  name: 'find_pages',
  title: oddText,
  description: oddText,
  inputSchema: schema(),
  outputSchema: { type: 'object', properties: { found: { type: 'array' } } },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...more,
});

const accepted = (): PinnedTool => ({
  name: 'find_pages',
  accepted: tool(),
  acceptedAt: at,
  acceptedBy: 7,
  waiting: null,
  effect: 'lose',
  isOff: false,
  isSearched: true,
});

const changed = (): PinnedTool => ({
  name: 'wipe',
  accepted: tool({ name: 'wipe', title: null, description: '', outputSchema: null, hints: {} }),
  acceptedAt: at + 1,
  acceptedBy: null,
  waiting: tool({ name: 'wipe', description: 'Wipes all.', hints: { openWorldHint: true } }),
  effect: null,
  isOff: true,
  isSearched: false,
});

const unseen = (): PinnedTool => ({
  name: 'a_new_one',
  accepted: null,
  acceptedAt: null,
  acceptedBy: null,
  waiting: tool({ name: 'a_new_one' }),
  effect: 'reach',
  isOff: false,
  isSearched: false,
});

const list = (): PinnedList => ({ tools: [accepted(), changed(), unseen()], listedAt: at + 2 });
const listOf = (count: number, listedAt: number): PinnedList => ({
  tools: Array.from({ length: count }, (_, index) => ({ ...unseen(), name: `tool_${index}` })),
  listedAt,
});
const near = ['wiki_two', 'wik', 'Wiki', 'wiki ', '', 'constructor', '__proto__'];

/** Contract suite of stores of the tools of remote MCP servers that are known and accepted. */
export function pinnedToolsContract<Handle extends Opened<PinnedTools>>(
  runner: Runner,
  subject: Subject<PinnedTools, Handle>,
): void {
  contract<PinnedTools, Handle>(runner, subject, {
    port: 'pinned tools',
    define: (clause) => {
      clause('PINS-001 returns every field as it was stored, in the same order', async ({ port }) => {
        await port.replace('wiki', list());
        assert.deepEqual(await port.find('wiki'), list());
      });

      clause('PINS-002 returns null for a service without a list, however similar', async ({ port }) => {
        await port.replace('wiki', list());
        for (const service of near) assert.equal(await port.find(service), null, service);
      });

      clause('PINS-003 distinguishes services, however similar', async ({ port }) => {
        const all = ['wiki', ...near];
        for (const [index, service] of all.entries()) await port.replace(service, listOf(1, at + index));
        for (const [index, service] of all.entries()) assert.equal((await port.find(service))?.listedAt, at + index);
      });

      clause('PINS-004 replaces the whole list: what the next one does not have is gone', async ({ port }) => {
        await port.replace('wiki', list());
        const next = { tools: [{ ...accepted(), accepted: null, waiting: tool(), effect: null }], listedAt: at - 1 };
        await port.replace('wiki', next);
        assert.deepEqual(await port.find('wiki'), next);
      });

      clause('PINS-005 distinguishes a list without tools from none', async ({ port }) => {
        await port.replace('wiki', { tools: [], listedAt: at });
        assert.deepEqual(await port.find('wiki'), { tools: [], listedAt: at });
      });

      clause('PINS-006 returns schemas with their members in the same order', async ({ port }) => {
        await port.replace('wiki', list());
        const schemas = (tools: readonly PinnedTool[] = []) =>
          tools.map(({ accepted: was, waiting }) => JSON.stringify([was?.inputSchema, waiting?.outputSchema]));
        assert.deepEqual(schemas((await port.find('wiki'))?.tools), schemas(list().tools));
      });

      clause('PINS-007 has a list as soon as it is stored', async ({ port }) => {
        assert.equal(await port.find('wiki'), null);
        await port.replace('wiki', list());
        assert.equal((await port.find('wiki'))?.tools.length, 3);
        await port.replace('wiki', listOf(1, at));
        assert.equal((await port.find('wiki'))?.tools.length, 1);
      });

      clause('PINS-008 stores 400 tools of one server', async ({ port }) => {
        await port.replace('wiki', listOf(400, at));
        assert.deepEqual(await port.find('wiki'), listOf(400, at));
      });

      clause('PINS-009 has all lists that are stored concurrently', async ({ port }) => {
        const services = Array.from({ length: 20 }, (_, index) => `wiki_${'a'.repeat(index + 1)}`);
        await Promise.all(services.map((service, index) => port.replace(service, listOf(index, at + index))));
        for (const [index, service] of services.entries())
          assert.deepEqual(await port.find(service), listOf(index, at + index));
      });

      clause('PINS-010 has one whole list of those that are stored concurrently for a service', async ({ port }) => {
        const lists = Array.from({ length: 10 }, (_, index) => listOf(index + 1, at + index));
        await Promise.all(lists.map((one) => port.replace('wiki', one)));
        const found = await port.find('wiki');
        assert.deepEqual(found, lists[(found?.tools.length ?? 0) - 1]);
      });

      clause(
        'PINS-011 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = list();
          await port.replace('wiki', given);
          tamper(given);
          assert.deepEqual(await port.find('wiki'), list());
          tamper(await port.find('wiki'));
          assert.deepEqual(await port.find('wiki'), list());
        },
      );

      lifeCycle(clause, {
        prefix: 'PINS',
        fill: async (port) => {
          await port.replace('wiki', listOf(2, at));
          await port.replace('wiki', list());
          await port.replace('memory', listOf(1, at + 5));
        },
        read: async (port) => [await port.find('wiki'), await port.find('memory')],
      });
    },
  });
}
