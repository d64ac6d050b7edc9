import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { operations } from '#adapters/services/vault/operations.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceOperationsContract } from '#test/contract/service-operations.contract.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { vaultProvider } from '#test/support/services/providers.ts';
import { sentRequest } from '#test/support/services/sent-request.ts';

// Copied by hand from the description of the interface (VAULT-002).
const plannedRoutes = [
  'GET /',
  'GET /vault-api.crt',
  'GET /openapi.yaml',
  'GET /active/',
  'POST /active/',
  'PUT /active/',
  'PATCH /active/',
  'DELETE /active/',
  'GET /vault/{path}',
  'POST /vault/{path}',
  'PUT /vault/{path}',
  'PATCH /vault/{path}',
  'DELETE /vault/{path}',
  'GET /vault/',
  'GET /vault/{dirPath}/',
  'GET /periodic/{period}/',
  'POST /periodic/{period}/',
  'PUT /periodic/{period}/',
  'PATCH /periodic/{period}/',
  'DELETE /periodic/{period}/',
  'GET /periodic/{period}/{year}/{month}/{day}/',
  'POST /periodic/{period}/{year}/{month}/{day}/',
  'PUT /periodic/{period}/{year}/{month}/{day}/',
  'PATCH /periodic/{period}/{year}/{month}/{day}/',
  'DELETE /periodic/{period}/{year}/{month}/{day}/',
  'POST /search/simple/',
  'POST /search/',
  'GET /commands/',
  'POST /commands/{commandId}/',
  'POST /open/{filename}',
];

// Beyond the interface: tools for parts of notes and for text anywhere in them (VAULT-014, VAULT-023 to VAULT-026), and for versions (VER-012).
const editRoutes = [
  'GET /section/{path}',
  'POST /move/{path}',
  'POST /rename-heading/{path}',
  'POST /replace/{path}',
  'POST /restore/{path}',
  'POST /tags/rename',
  'GET /versions/{path}',
];

// Tools beyond the planned ones, by hand (TOOL-011).
const moreTools = [
  'vault_heading_rename',
  'vault_note_move',
  'vault_note_replace',
  'vault_note_restore',
  'vault_note_section',
  'vault_note_versions',
  'vault_tag_rename',
];

// The planned tools, copied by hand (TOOL-001): tool and its inputs.
const plannedTools: Readonly<Record<string, readonly string[]>> = {
  vault_note_read: ['path'],
  vault_note_write: ['path', 'content', 'mode'],
  vault_note_patch: ['path', 'target', 'content'],
  vault_note_delete: ['path'],
  vault_vault_list: ['dir_path'],
  vault_search: ['query'],
  vault_search_advanced: ['query', 'type'],
  vault_periodic_read: ['period', 'date'],
  vault_periodic_write: ['period', 'content', 'date'],
  vault_commands_list: [],
  vault_command_run: ['command_id'],
  vault_frontmatter_get: ['path', 'key'],
  vault_frontmatter_set: ['path', 'key', 'value'],
  vault_tags_list: ['path'],
  vault_tags_add: ['path', 'tags'],
  vault_tags_remove: ['path', 'tags'],
};

// Not in the interface: a file of any kind as it is, which calls of other services pass on (SIGN-012).
const besideThePlanned = ['GET /vault/{+path}'];

const table: Readonly<Record<string, Operation>> = operations;
const catalog = catalogOf([vaultProvider('neutral')]);
const record: TokenRecord = tokenRecord('vault', { extra: { base_url: 'https://127.0.0.1:27124', verify_ssl: false } });

function sent(
  name: keyof typeof operations,
  input: Readonly<Record<string, unknown>>,
  dialect: 'neutral' | 'obsidian' = 'neutral',
) {
  return sentRequest(vaultProvider(dialect), name, { input, record });
}

const plain = (route: string) =>
  route
    .replaceAll('+', '')
    .replaceAll(/\{dir_?[pP]ath\}/g, '{d}')
    .replaceAll(/\{command_?[iI]d\}/g, '{c}');

describe('the interface of the vault (VAULT-002)', () => {
  serviceOperationsContract('the vault', {
    catalog,
    rows: Object.values(table).flatMap((row) => (row.kind === 'request' ? [`${row.method} ${row.path}`] : [])),
    plannedRows: [...plannedRoutes, ...besideThePlanned],
    plannedRoutes: [...plannedRoutes, ...editRoutes],
    plain,
    moreTools,
    plannedTools: Object.keys(plannedTools),
    inputs: plannedTools,
    withoutOutput: ['vault_note_read', 'vault_periodic_read'],
    destroying: [
      'vault_command_run',
      'vault_frontmatter_set',
      'vault_note_delete',
      'vault_note_patch',
      'vault_note_replace',
      'vault_note_restore',
      'vault_note_write',
      'vault_periodic_write',
      'vault_tags_remove',
    ],
    maxTitleLength: 55,
  });
});

describe('authentication of requests to the vault', () => {
  it('sends `Authorization: Bearer <API_KEY>` with every request (VAULT-001)', () => {
    expect(sent('notes.read', { path: 'A.md' }).headers['authorization']).toBe('Bearer the-key');
  });
});

describe('a request that differs from the usual form', () => {
  it('keeps the slashes of a path, and encodes each segment (VAULT-003)', () => {
    expect(sent('notes.read', { path: 'A b/C#d?/é%.md' }).url).toBe(
      'https://127.0.0.1:27124/vault/A%20b/C%23d%3F/%C3%A9%25.md',
    );
  });

  it('reads a note as Markdown, as a note or as a document map by Accept (VAULT-009)', () => {
    const accept = (format: string) => sent('notes.read', { path: 'A.md', format }).headers['accept'];
    expect(accept('markdown')).toBe('text/markdown');
    expect(accept('note')).toBe('application/vnd.vault.note+json');
    expect(accept('document_map')).toBe('application/vnd.vault.document-map+json');
  });

  it('sends text as text/markdown without a charset', () => {
    const request = sent('notes.put', { path: 'A.md', content: '# A' });
    expect(request).toMatchObject({ method: 'PUT', body: '# A', headers: { 'content-type': 'text/markdown' } });
  });

  it('sends the target of a patch in headers, percent-encoded (VAULT-004, VAULT-011)', () => {
    const request = sent('notes.patch', {
      path: 'A.md',
      operation: 'append',
      target_type: 'heading',
      target: 'Deal::Übersicht 100%',
      create_target_if_missing: true,
      content: 'text',
    });
    expect(request).toEqual({
      method: 'PATCH',
      url: 'https://127.0.0.1:27124/vault/A.md',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer the-key',
        'content-type': 'text/markdown',
        'create-target-if-missing': 'true',
        'markdown-patch-version': '1',
        operation: 'append',
        target: 'Deal%3A%3A%C3%9Cbersicht%20100%25',
        'target-type': 'heading',
      },
      body: 'text',
    });
  });

  it('sends a frontmatter value that is not a text as JSON', () => {
    const request = sent('notes.patch', {
      path: 'A.md',
      operation: 'replace',
      target_type: 'frontmatter',
      target: 'value',
      content: 12.5,
    });
    expect(request).toMatchObject({ body: '12.5', headers: { 'content-type': 'application/json' } });
  });

  it('sends the inputs of a simple search in the query of a POST', () => {
    const request = sent('search.simple', { query: 'two words', contextLength: 20 });
    expect(request.url).toBe('https://127.0.0.1:27124/search/simple/?query=two+words&contextLength=20');
    expect(request.body).toBeUndefined();
  });

  it('chooses the language of an advanced search by Content-Type (VAULT-010)', () => {
    const rule = { '==': [1, 1] };
    expect(sent('search.advanced', { query: rule })).toMatchObject({
      body: '{"==":[1,1]}',
      headers: { 'content-type': 'application/vnd.vault.jsonlogic+json' },
    });
    expect(sent('search.advanced', { query: 'TABLE status', type: 'dql' })).toMatchObject({
      body: 'TABLE status',
      headers: { 'content-type': 'application/vnd.vault.dql+txt' },
    });
  });

  it("uses the notes app's media types and certificate path in its dialect", () => {
    const { dialect } = vaultProvider('obsidian');
    const note = { input: { path: 'A.md', format: 'note' }, record };
    const { headers } = sentRequest({ operations, dialect }, 'notes.read', note);
    expect(headers['accept']).toBe('application/vnd.olrapi.note+json');
    expect(sent('system.certificate', {}, 'obsidian').url).toBe('https://127.0.0.1:27124/obsidian-local-rest-api.crt');
  });
});

describe('a path that leaves the vault is refused before anything is sent', () => {
  it.each(['../secret.md', 'a/../../b.md', '/etc/passwd', 'a\0.md', ''])('%j', (path) => {
    expect(operations['notes.read'].input.safeParse({ path }).success).toBe(false);
  });
});

it('the vendor’s dialect has the same operations, tools, inputs and REST routes (OP-009)', () => {
  const facts = (one: OperationCatalog) => JSON.stringify(one.operations);
  expect(facts(catalogOf([vaultProvider('obsidian')]))).toBe(facts(catalog));
});
