import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const on = 'neutral, within the process';
const gateway = 'adapters/services/vault/ports/vault-notes.ts';
const memory = 'test/doubles/memory-vault-notes.ts';

/** Ways in which a sink of notes can be broken. */
export const vaultNotes: PortMutants = {
  port: 'vault-notes',
  mutants: [
    ...texts(on, gateway, [
      ["outcome.reason === 'not_found' ? ok(null) : err(outcome)", 'err(outcome)', 'fails where there is no note'],
      ["{ path, content, if_none_match: '*' }", '{ path, content }', 'creates over a note of the same moment'],
      [
        'if (there.value !== null) return ok(false);',
        '',
        'looks for a note only when it writes',
        'The write itself is conditional; the look before it spares a vault without conditions.',
      ],
      [
        "if (!put.ok && put.reason === 'conflict') return ok(false);\n    return put.ok ? ok(true) : err(put);\n  }\n\n  async setF",
        'return put.ok ? ok(true) : err(put);\n  }\n\n  async setF',
        'fails where a note is made meanwhile',
      ],
      [
        "operation: 'replace',\n        target_type: 'frontmatter'",
        "operation: 'append',\n        target_type: 'frontmatter'",
        'appends to a key',
      ],
      [
        'create_target_if_missing: true,\n        content: value',
        'create_target_if_missing: false,\n        content: value',
        'adds no key',
      ],
      ['content: value,', 'content: String(value),', 'makes a text of every value'],
      [
        "operation: 'append',\n      target_type: 'heading'",
        "operation: 'prepend',\n      target_type: 'heading'",
        'writes at the beginning of a section',
      ],
      [
        "operation: 'append',\n      target_type: 'heading'",
        "operation: 'replace',\n      target_type: 'heading'",
        'replaces a section',
      ],
      ["heading.join('::')", 'heading.at(-1)', 'looks for the last heading only'],
      [
        'create_target_if_missing: true,\n      reject',
        'create_target_if_missing: false,\n      reject',
        'adds no heading',
      ],
      ['reject_if_content_preexists: true,', 'reject_if_content_preexists: false,', 'appends the same text again'],
      ['if (isThere) return ok(undefined);', '', 'fails where the text is there already'],
      [', if_match: `"${version}"` }', ' }', 'replaces any version'],
      [
        "if (!put.ok && put.reason === 'conflict') return ok(false);\n    return put.ok ? ok(true) : err(put);\n  }\n\n  async findBy",
        'return ok(true);\n  }\n\n  async findBy',
        'says that a note was replaced when it was not',
      ],
      [
        'isNumeral(value) ? { or: [is(value), is(Number(value))] } : is(value)',
        'is(value)',
        'does not find a number by its digits',
      ],
      [
        'isNumeral(value) ? { or: [is(value), is(Number(value))] } : is(value)',
        '{ or: [is(value), is(Number(value)), is(String(value))] }',
        'finds a text by a number',
      ],
      [
        '.map(({ filename }) => filename).sort()',
        '.map(({ filename }) => filename).sort().toReversed()',
        'lists paths the other way round',
      ],
      [
        "'notes.append', { path, content: markdown }",
        "'notes.put', { path, content: markdown }",
        'replaces a note where it is to append',
      ],
    ]),
    ...texts('memory', memory, [
      ['if (this.#notes.has(path)) return ok(false);', '', 'creates over a note that is there'],
      ['if (section.includes(markdown)) return ok(undefined);', '', 'appends the same text again'],
      ['if (this.#notes.get(path) !== version) return ok(false);', '', 'replaces any version'],
      [
        'if (this.#notes.has(path)) return ok(false);',
        'if (this.#notes.has(path)) return ok(false);\n    await Promise.resolve();',
        'looks first and creates then',
      ],
      [
        "(typeof found === 'number' && String(found) === value)",
        'String(found) === String(value)',
        'finds a text by a number',
      ],
      ['index > at && /^#{1,6} /.test(line)', 'false', 'appends at the end in place of the section’s'],
      ["'#'.repeat(heading.length)", "'#'", 'makes every heading a first one'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'append', answer: { ok: true, value: undefined } }, 'loses what is appended'],
      [{ op: 'late', method: 'create', answer: { ok: true, value: true } }, 'creates after it has answered'],
      [
        { op: 'late', method: 'setFrontmatter', answer: { ok: true, value: undefined } },
        'sets a key after it has answered',
      ],
      [{ op: 'twice', method: 'append' }, 'appends twice'],
      [{ op: 'stale', method: 'read' }, 'remembers what it read first'],
      [{ op: 'shared', method: 'read' }, 'hands out one object again and again'],
      [{ op: 'shared', method: 'findByFrontmatter' }, 'hands out one list again and again'],
      [{ op: 'short', method: 'findByFrontmatter' }, 'leaves the last out'],
      [{ op: 'argument', method: 'setFrontmatter', path: '0', value: 'A.md' }, 'changes one note for all'],
      [{ op: 'answer', method: 'read', path: 'value.version', value: 'always the same' }, 'has one version'],
      [{ op: 'answer', method: 'read', path: 'value.frontmatter', value: {} }, 'loses the frontmatter'],
    ]),
  ],
};
