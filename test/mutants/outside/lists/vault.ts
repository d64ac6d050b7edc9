// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
import { faultsIn } from '#test/mutants/outside/mutant.ts';

const folder = 'adapters/services/vault';
const where = { breaks: 'Outbound: vault', sections: 'VAULT' } as const;

/** Faults of the requests to the vault. */
export const vaultFaults = [
  ...faultsIn(`${folder}/neutral/dialect.ts`, where, [
    [
      'authorization: `Bearer ${record.accessToken}`',
      'authorization: record.accessToken',
      'the key of the vault is sent bare',
    ],
    ["note: 'application/vnd.vault.note+json'", "note: 'application/json'", 'notes are asked for as plain JSON'],
    [
      "document_map: 'application/vnd.vault.document-map+json'",
      "document_map: 'application/vnd.vault.map+json'",
      'maps have another media type',
    ],
    ["dql: 'application/vnd.vault.dql+txt'", "dql: 'text/plain'", 'DQL is sent as plain text'],
    [
      "jsonlogic: 'application/vnd.vault.jsonlogic+json'",
      "jsonlogic: 'application/json'",
      'JsonLogic is sent as plain JSON',
    ],
  ]),
  ...faultsIn(`${folder}/inputs.ts`, where, [
    ["header: 'Target-Type'", "header: 'TargetType'", 'the kind of a target has another header'],
    ["header: 'Trim-Target-Whitespace'", "header: 'Trim-Whitespace'", 'trimming has another header'],
    ["header: 'Target-Delimiter'", "header: 'Delimiter'", 'the delimiter has another header'],
  ]),
  ...faultsIn(`${folder}/rows.ts`, where, [
    ["query: ['query', 'contextLength'],", '', 'the simple search has its words in the body'],
    ["query: ['newLeaf'],", '', 'newLeaf is sent in the body'],
    ["'/vault/{+dir_path}/'", "'/vault/{+dir_path}'", 'folders are listed without a slash'],
    ["'/commands/{command_id}/'", "'/commands/{command_id}'", 'commands are run without a slash'],
    [
      "'/periodic/{period}/{year}/{month}/{day}/', 'the periodic note of a day', datedPath),\n  'periodic_dated.append'",
      "'/periodic/{period}/{year}-{month}-{day}/', 'the periodic note of a day', datedPath),\n  'periodic_dated.append'",
      'days in paths have dashes',
    ],
    [
      "contentType: { kind: 'markdown' }, answer: 'none'",
      "contentType: { kind: 'text/plain' }, answer: 'none'",
      'notes are written as plain text',
    ],
    ["'/openapi.yaml'", "'/openapi.json'", 'the list of operations has another address'],
  ]),
  ...faultsIn(`${folder}/recipes.ts`, where, [
    ["await call('notes.append', text)", "await call('notes.put', text)", 'appending overwrites'],
    [
      "if (mode === 'overwrite') return writtenTo(text.path, 'overwritten', await call('notes.put', text));",
      "if (mode === 'overwrite') return writtenTo(text.path, 'overwritten', await call('notes.append', text));",
      'overwriting appends',
    ],
    [
      'const there = await call',
      "const there = failed('not_found', ''); false && await call",
      'creating does not look whether there is a note',
    ],
  ]),
  ...faultsIn(`${folder}/recipes/tags.ts`, { breaks: null, sections: 'VAULT,TOOL' }, [
    ['const after = [...before, ...added];', 'const after = added;', 'adding tags removes the others'],
  ]),
];
