import { calls, type Mutant, type PortMutants, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const file = 'adapters/stores/fact-pinned-tools.ts';
const putting = 'await this.#facts.replace(nameOf(service), JSON.stringify(list));';

/** Ways in which the list of a server's tools can be broken, whatever holds the facts. */
const everywhere: readonly Mutant[] = texts('memory', file, [
  ['`remote_tools/${service}`', "'remote_tools'", 'has one list for all servers'],
  ['`remote_tools/${service}`', '`remote_tools/${service.trim()}`', 'does not heed blanks of a service'],
  ['`remote_tools/${service}`', '`remote_tools/${service.toLowerCase()}`', 'does not heed the case of a service'],
  ['`remote_tools/${service}`', "`remote_tools/${service.split('_')[0]}`", 'heeds the first word of a service'],
  [
    'text === null ? null',
    'text === null ? { tools: [], listedAt: 0 }',
    'has a list without tools where there is none',
  ],
  ['stored.parse(JSON.parse(text))', 'null', 'finds nothing'],
  ['  waiting: tool.nullable(),', '  waiting: tool.nullable().transform(() => null),', 'forgets what waits'],
  ['  accepted: tool.nullable(),', '  accepted: tool.nullable().transform(() => null),', 'forgets what was accepted'],
  ['acceptedBy: z.number().nullable()', 'acceptedBy: z.null().catch(null)', 'forgets who accepted'],
  ['acceptedAt: z.number().nullable()', 'acceptedAt: z.number().nullable().transform(Math.sign)', 'loses times'],
  ['effect: z.enum(effects).nullable()', 'effect: z.enum(effects).nullable().transform(() => null)', 'loses effects'],
  ['isOff: z.boolean()', 'isOff: z.boolean().transform(() => false)', 'switches on what is off'],
  ['isSearched: z.boolean()', 'isSearched: z.boolean().transform(() => false)', 'forgets what is searched'],
  ['const schema = z.record(z.string(), z.unknown());', 'const schema = z.object({});', 'loses schemas'],
  ['description: z.string()', 'description: z.string().trim()', 'trims descriptions'],
  [
    'title: z.string().nullable()',
    "title: z.string().nullable().transform((one) => one ?? '')",
    'has a title for each',
  ],
  ['readOnlyHint: hint, destructiveHint: hint,', 'readOnlyHint: hint,', 'loses a hint'],
  [
    'const hint = z.boolean().optional();',
    'const hint = z.boolean().optional().default(false);',
    'takes a hint that is not given for false',
  ],
  [
    putting,
    putting.replace('JSON.stringify(list)', 'JSON.stringify({ ...list, tools: list.tools.toReversed() })'),
    'turns the order',
  ],
  [
    putting,
    putting.replace('JSON.stringify(list)', 'JSON.stringify({ ...list, tools: list.tools.slice(0, 200) })'),
    'keeps 200 tools',
  ],
  [putting, `if ((await this.find(service)) === null) ${putting}`, 'keeps the first list'],
  [
    putting,
    `const before = (await this.find(service))?.tools ?? [];
    const gone = before.filter((one) => !list.tools.some(({ name }) => name === one.name));
    ${putting.replace('JSON.stringify(list)', 'JSON.stringify({ ...list, tools: [...list.tools, ...gone] })')}`,
    'keeps tools that the next list does not have',
  ],
]);

/** Ways in which a store of the tools of remote MCP servers can be broken. */
export const pinnedTools: PortMutants = {
  port: 'pinned-tools',
  mutants: [
    ...everywhere,
    ...texts(onPostgres, file, [
      [putting, putting.replace('await this', 'void this'), 'does not wait until it is stored'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'replace' }, 'loses every list'],
      [{ op: 'once', method: 'replace' }, 'loses every list but the first'],
      [{ op: 'late', method: 'replace' }, 'stores after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
    ]),
  ],
};
