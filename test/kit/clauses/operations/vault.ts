import { contains, equal, holds, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived, type Row, rowClauses } from '#test/kit/clauses/operations/rows.ts';
import { frontmatterOf } from '#test/kit/emulators/vault.ts';
import type { Kit } from '#test/kit/kit.ts';

const markdown = { 'content-type': /^text\/markdown/ };
const periods = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
const patch = { operation: 'append', target_type: 'heading', target: 'Log', content: 'A line\n' };
const patchHeaders = { operation: 'append', 'target-type': 'heading', target: 'Log' };

/** The routes of one place where notes are: what it reads, appends to, overwrites and deletes. */
const place = (name: string, path: string): readonly Row[] => [
  [
    `VAULT-002/${name}.read`,
    `GET ${path}`,
    undefined,
    `GET ${path}`,
    { headers: { accept: /text\/markdown|vnd\.vault/ } },
  ],
  [
    `VAULT-002/${name}.append`,
    `POST ${path}`,
    { content: 'More\n' },
    `POST ${path}`,
    { text: 'More\n', headers: markdown },
  ],
  [
    `VAULT-002/${name}.overwrite`,
    `PUT ${path}`,
    { content: '# Log\n' },
    `PUT ${path}`,
    { text: '# Log\n', headers: markdown },
  ],
  [`VAULT-002/${name}.patch`, `PATCH ${path}`, patch, `PATCH ${path}`, { headers: patchHeaders }],
  [`VAULT-002/${name}.delete`, `DELETE ${path}`, undefined, `DELETE ${path}`],
];

const rows: readonly Row[] = [
  ['VAULT-002/root', 'GET /', undefined, 'GET /'],
  ['VAULT-002/openapi', 'GET /openapi.yaml', undefined, 'GET /openapi.yaml'],
  ['VAULT-002/certificate', 'GET /vault-api.crt', undefined, 'GET /vault-api.crt'],
  ...place('file', '/vault/Kit/Operations.md'),
  ...place('active', '/active/'),
  ...place('daily', '/periodic/daily/'),
  ...place('dated', '/periodic/daily/2026/11/22/'),
  ['VAULT-002/list.root', 'GET /vault/', undefined, 'GET /vault/'],
  ['VAULT-002/list', 'GET /vault/Kit%20folder/', undefined, 'GET /vault/Kit%20folder/'],
  [
    'VAULT-002/search.simple',
    'POST /search/simple/',
    { query: 'a&b', contextLength: 20 },
    'POST /search/simple/',
    { query: { query: 'a&b', contextLength: '20' } },
  ],
  ['VAULT-002/commands', 'GET /commands/', undefined, 'GET /commands/'],
  ['VAULT-002/command', 'POST /commands/kit%3Ado/', undefined, 'POST /commands/kit%3Ado/'],
  [
    'VAULT-002/open',
    'POST /open/Kit%20note.md',
    { newLeaf: true },
    'POST /open/Kit%20note.md',
    { query: { newLeaf: 'true' } },
  ],
  ...periods
    .slice(1)
    .map(
      (period): Row => [
        `VAULT-002/${period}.overwrite`,
        `PUT /periodic/${period}/`,
        { content: 'x\n' },
        `PUT /periodic/${period}/`,
        { text: 'x\n' },
      ],
    ),
];

const needs = ['login', 'service:vault'] as const;
const rest = [...needs, 'rest'] as const;

/** Puts a note into the emulated vault. */
const given = (kit: Kit, path: string, text: string): void => void kit.emulators.vault.notes.set(path, text);

const textOf = (kit: Kit, path: string): string => kit.emulators.vault.notes.get(path) ?? '(no note)';

/** Calls a tool that must succeed, and returns its text. */
async function done(kit: Kit, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await (await kit.mcp()).call(tool, input);
  holds(!result.isError, `${tool} to succeed`, result.text);
  return result.text;
}

/** Puts notes where the routes read them. */
function readable(kit: Kit): void {
  for (const path of [
    'Kit/Operations.md',
    'active.md',
    'periodic-daily.md',
    'periodic-daily-2026-11-22.md',
    'Kit folder/Inside.md',
  ]) {
    given(kit, path, '# Log\n\nOne\n');
  }
}

/** Clauses on the operations of the vault. */
export const vault: readonly Clause[] = [
  // What the rows read, patch and delete is there.
  contract(
    'VAULT-001',
    'every call carries Authorization: Bearer and the key',
    async (kit) => {
      readable(kit);
      const { received } = await kit.arriving('vault', () =>
        done(kit, 'vault_note_read', { path: 'Kit/Operations.md' }),
      );
      arrived(received, 'GET /vault/Kit/Operations.md', {
        headers: { authorization: `Bearer ${kit.emulators.vault.key}` },
      });
    },
    needs,
  ),
  ...rowClauses('vault', rows).map((clause) => ({
    ...clause,
    run: async (kit: Kit) => {
      readable(kit);
      await clause.run(kit);
    },
  })),
  ...(
    [
      ['blank', 'Kit/A note.md', '/vault/Kit/A%20note.md'],
      ['umlaut', 'Kit/Grüße.md', '/vault/Kit/Gr%C3%BC%C3%9Fe.md'],
      ['signs', 'Kit/100% #1?.md', '/vault/Kit/100%25%20%231%3F.md'],
      ['deep', 'Kit/a/b/c.md', '/vault/Kit/a/b/c.md'],
    ] as const
  ).map(([variant, path, sent]) =>
    contract(
      `VAULT-003/${variant}`,
      `the path ${path} keeps its slashes, and each segment is percent-encoded`,
      async (kit) => {
        given(kit, path, 'Text\n');
        const { value, received } = await kit.arriving('vault', () => done(kit, 'vault_note_read', { path }));
        arrived(received, `GET ${sent}`);
        contains(value, 'Text', 'the answer');
      },
      needs,
    ),
  ),
  contract(
    'VAULT-004',
    'a patch carries its place in the headers Operation, Target-Type and Target',
    async (kit) => {
      given(kit, 'Kit/Patch.md', '# Log\n\nOne\n');
      const input = { path: 'Kit/Patch.md', target: 'Log', content: 'Two\n' };
      const { received } = await kit.arriving('vault', () => done(kit, 'vault_note_patch', input));
      const headers = {
        operation: /^(append|prepend|replace)$/,
        'target-type': /^(heading|block|frontmatter)$/,
        target: 'Log',
      };
      arrived(received, 'PATCH /vault/Kit/Patch.md', { headers });
      contains(textOf(kit, 'Kit/Patch.md'), 'Two', 'the note');
    },
    needs,
  ),
  ...(['prepend', 'replace'] as const).map((operation) =>
    contract(
      `VAULT-004/${operation}`,
      `a patch may ${operation}`,
      async (kit) => {
        given(kit, 'Kit/Patch.md', '# Log\n\nOne\n');
        const body = { ...patch, operation };
        const { received } = await kit.arriving('vault', () => kit.api('PATCH', '/api/vault/vault/Kit/Patch.md', body));
        arrived(received, 'PATCH /vault/Kit/Patch.md', { headers: { operation } });
      },
      rest,
    ),
  ),
  contract(
    'VAULT-004/optional',
    'the delimiter and the trimming of a Target go in headers of their own',
    async (kit) => {
      given(kit, 'Kit/Patch.md', '# Log\n\nOne\n');
      const body = { ...patch, target_delimiter: '//', trim_target_whitespace: true };
      const { received } = await kit.arriving('vault', () => kit.api('PATCH', '/api/vault/vault/Kit/Patch.md', body));
      const headers = { 'target-delimiter': '//', 'trim-target-whitespace': 'true' };
      arrived(received, 'PATCH /vault/Kit/Patch.md', { headers });
    },
    rest,
  ),
  contract(
    'VAULT-004/frontmatter',
    'a patch of the frontmatter names its key as the Target',
    async (kit) => {
      given(kit, 'Kit/Front.md', '---\nstatus: open\n---\n# Log\n');
      const body = { operation: 'replace', target_type: 'frontmatter', target: 'status', content: 'won' };
      const { received } = await kit.arriving('vault', () => kit.api('PATCH', '/api/vault/vault/Kit/Front.md', body));
      const headers = { 'target-type': 'frontmatter', target: 'status' };
      arrived(received, 'PATCH /vault/Kit/Front.md', { headers });
    },
    rest,
  ),
  contract(
    'VAULT-005/create',
    'vault_note_write with mode create makes a note, and never overwrites one',
    async (kit) => {
      kit.emulators.vault.notes.delete('Kit/New.md');
      await done(kit, 'vault_note_write', { path: 'Kit/New.md', content: 'First\n', mode: 'create' });
      equal(textOf(kit, 'Kit/New.md'), 'First\n', 'the note');
      const again = await (await kit.mcp()).call('vault_note_write', {
        path: 'Kit/New.md',
        content: 'Second\n',
        mode: 'create',
      });
      equal(again.isError, true, 'a failure:');
      equal(textOf(kit, 'Kit/New.md'), 'First\n', 'the note');
    },
    needs,
  ),
  contract(
    'VAULT-005/append',
    'vault_note_write with mode append keeps what is there',
    async (kit) => {
      given(kit, 'Kit/Append.md', 'First\n');
      await done(kit, 'vault_note_write', { path: 'Kit/Append.md', content: 'Second\n', mode: 'append' });
      equal(textOf(kit, 'Kit/Append.md'), 'First\nSecond\n', 'the note');
    },
    needs,
  ),
  contract(
    'VAULT-005/overwrite',
    'vault_note_write with mode overwrite replaces the note',
    async (kit) => {
      given(kit, 'Kit/Over.md', 'First\n');
      await done(kit, 'vault_note_write', { path: 'Kit/Over.md', content: 'Second\n', mode: 'overwrite' });
      equal(textOf(kit, 'Kit/Over.md'), 'Second\n', 'the note');
    },
    needs,
  ),
  contract(
    'VAULT-006/frontmatter',
    'vault_frontmatter_set changes one key, and nothing else of the note',
    async (kit) => {
      given(kit, 'Kit/Keys.md', '---\nstatus: open\nowner: Ada\n---\n# Log\n\nOne\n');
      await done(kit, 'vault_frontmatter_set', { path: 'Kit/Keys.md', key: 'status', value: 'won' });
      equal(frontmatterOf(textOf(kit, 'Kit/Keys.md')), { owner: 'Ada', status: 'won' }, 'the frontmatter');
      contains(textOf(kit, 'Kit/Keys.md'), '# Log\n\nOne\n', 'the note');
      contains(await done(kit, 'vault_frontmatter_get', { path: 'Kit/Keys.md', key: 'owner' }), 'Ada', 'the answer');
      const whole = await done(kit, 'vault_frontmatter_get', { path: 'Kit/Keys.md' });
      for (const value of ['Ada', 'won']) contains(whole, value, 'the whole frontmatter');
    },
    needs,
  ),
  contract(
    'VAULT-006/tags',
    'vault_tags_add and vault_tags_remove leave the rest of the note',
    async (kit) => {
      given(kit, 'Kit/Tags.md', '---\nowner: Ada\n---\n# Log\n\nOne\n');
      await done(kit, 'vault_tags_add', { path: 'Kit/Tags.md', tags: ['hot'] });
      contains(textOf(kit, 'Kit/Tags.md'), 'hot', 'the note');
      contains(textOf(kit, 'Kit/Tags.md'), '# Log\n\nOne\n', 'the note');
      await done(kit, 'vault_tags_list', { path: 'Kit/Tags.md' });
      await done(kit, 'vault_tags_add', { path: 'Kit/Tags.md', tags: ['cold'] });
      for (const tag of ['hot', 'cold']) contains(textOf(kit, 'Kit/Tags.md'), tag, 'the note');
    },
    needs,
  ),
  portolan(
    'VAULT-008',
    'a heading that is not there answers not_found with the headings that are',
    async (kit) => {
      given(kit, 'Kit/Heads.md', '# Log\n\nOne\n\n# Other\n');
      const refusal = {
        status: 400,
        body: { errorCode: 40080, message: 'invalid-target: the patch could not be applied' },
      };
      kit.emulator('vault').script(({ method, path }) => method === 'PATCH' && path === '/vault/Kit/Heads.md', refusal);
      const result = await (await kit.mcp()).call('vault_note_patch', {
        path: 'Kit/Heads.md',
        target: 'Missing',
        content: 'x',
      });
      equal(result.isError, true, 'a failure:');
      for (const heading of ['Log', 'Other']) contains(result.text, heading, 'the answer');
    },
    needs,
  ),
  ...(
    [
      ['markdown', 'text/markdown'],
      ['note', 'application/vnd.vault.note+json'],
      ['document-map', 'application/vnd.vault.document-map+json'],
    ] as const
  ).map(([format, accept]) =>
    contract(
      `VAULT-009/${format}`,
      `a note is read as ${accept}`,
      async (kit) => {
        given(kit, 'Kit/Forms.md', '---\na: 1\n---\n# Log\n');
        const path = `/api/vault/vault/Kit/Forms.md?format=${format.replace('-', '_')}`;
        const { value, received } = await kit.arriving('vault', () => kit.api('GET', path));
        status(value, 200);
        arrived(received, 'GET /vault/Kit/Forms.md', { headers: { accept } });
      },
      rest,
    ),
  ),
  ...(
    [
      ['dql', 'TABLE status FROM "Deals"', 'application/vnd.vault.dql+txt'],
      ['jsonlogic', '{"==":[{"var":"frontmatter.status"},"won"]}', 'application/vnd.vault.jsonlogic+json'],
    ] as const
  ).map(([type, query, contentType]) =>
    contract(
      `VAULT-010/${type}`,
      `an advanced search in ${type} has the Content-Type ${contentType}`,
      async (kit) => {
        const { received } = await kit.arriving('vault', () => done(kit, 'vault_search_advanced', { query, type }));
        arrived(received, 'POST /search/', { headers: { 'content-type': contentType } });
      },
      needs,
    ),
  ),
  portolan(
    'VAULT-011',
    'the Target of a patch is percent-encoded, and Markdown-Patch-Version: 1 goes with it',
    async (kit) => {
      given(kit, 'Kit/Target.md', '# Grüße & mehr\n\nOne\n');
      const input = { path: 'Kit/Target.md', target: 'Grüße & mehr', content: 'x\n' };
      const { received } = await kit.arriving('vault', () => done(kit, 'vault_note_patch', input));
      const headers = { target: encodeURIComponent('Grüße & mehr'), 'markdown-patch-version': '1' };
      arrived(received, 'PATCH /vault/Kit/Target.md', { headers });
    },
    needs,
  ),
  ...(
    [
      ['vault_vault_list', { dir_path: 'Kit' }, 'GET /vault/Kit/'],
      ['vault_search', { query: 'Log' }, 'POST /search/simple/'],
      ['vault_periodic_read', { period: 'daily' }, 'GET /periodic/daily/'],
      ['vault_periodic_read', { period: 'daily', date: '2026-11-22' }, 'GET /periodic/daily/2026/11/22/', '.dated'],
      ['vault_commands_list', {}, 'GET /commands/'],
      ['vault_command_run', { command_id: 'kit:do' }, 'POST /commands/kit%3Ado/'],
      ['vault_note_delete', { path: 'Kit/Gone.md' }, 'DELETE /vault/Kit/Gone.md'],
    ] as const
  ).map(([tool, input, sent, variant = '']) =>
    contract(
      `VAULT-002/tool.${tool}${variant}`,
      `the tool ${tool} is sent as ${sent}`,
      async (kit) => {
        given(kit, 'Kit/Gone.md', 'x\n');
        given(kit, 'periodic-daily.md', '# Log\n');
        given(kit, 'periodic-daily-2026-11-22.md', '# Log\n');
        const { received } = await kit.arriving('vault', () => done(kit, tool, input));
        arrived(received, sent);
      },
      needs,
    ),
  ),
];
