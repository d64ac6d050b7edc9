import { noteLinksOnPostgres } from '#test/mutants/lists/postgres/note-links.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/mikro-orm-note-links.ts';
const memory = 'test/doubles/memory-note-links.ts';
const larger = `case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end`;

/** Ways in which links between records and notes can be broken. */
export const noteLinks: PortMutants = {
  port: 'note-links',
  mutants: [
    ...texts('SQLite', sql, [
      [larger, 'excluded.applied_at', 'goes back in time'],
      [larger, 'note_links.applied_at', 'keeps the first time'],
      ['do update set path = excluded.path,', 'do update set', 'keeps the first path'],
      [
        'keyOf(row.service, row.kind, row.record_id)',
        "keyOf('tracker', row.kind, row.record_id)",
        'finds one service only',
      ],
      ['given = records.map', 'given = records.slice(0, 1).map', 'finds one of those that are asked for'],
      ['(service, kind, record_id) in', '(service, record_id, kind) in', 'takes a kind for an id'],
      [
        'return JSON.stringify(parts);',
        "return parts.join(':');",
        'takes records for one whose parts are the same in a row',
      ],
      [
        'return JSON.stringify(parts);',
        'return JSON.stringify(parts).toLowerCase();',
        'does not heed the case of an id',
      ],
      [
        'return JSON.stringify(parts);',
        "return parts.map((part) => part.trim()).join('\\n');",
        'does not heed blanks of an id',
      ],
      [
        '[record.service, record.kind, record.id, path, appliedAt]',
        "[record.service, 'issue', record.id, path, appliedAt]",
        'keeps one kind for all',
      ],
      [
        '[record.service, record.kind, record.id, path, appliedAt]',
        '[record.service, record.kind, record.id, path.trim(), Math.trunc(appliedAt / 1000) * 1000]',
        'keeps whole seconds',
      ],
      [
        '[record.service, record.kind, record.id, path, appliedAt]',
        "[record.service, record.kind, record.id, path.normalize('NFC'), appliedAt]",
        'composes the letters of a path',
      ],
      ['return [...kept.values()];', 'return [...kept.values()].slice(0, 1);', 'keeps the first of a batch'],
      [
        'Math.max(link.appliedAt, kept.get(key)?.appliedAt ?? link.appliedAt)',
        'link.appliedAt',
        'takes the last time of a batch',
      ],
      ['await this.#writes.add(link)', 'void this.#writes.add(link)', 'does not wait for the commit'],
      ['path: row.path,', "path: '',", 'loses the path'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy({ ...link, appliedAt })', '{ ...link, appliedAt }', 'keeps the object that it was given'],
      ['Math.max(link.appliedAt, earlier?.appliedAt ?? 0)', 'link.appliedAt', 'goes back in time'],
    ]),
    ...texts('memory', 'test/doubles/record-key.ts', [
      [
        'JSON.stringify([service, kind, id])',
        "[service, kind, id].join(':')",
        'takes records for one whose parts are the same in a row',
      ],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'loses every link'],
      [{ op: 'once', method: 'keep' }, 'loses every link but the first'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
    ]),
    ...noteLinksOnPostgres,
  ],
};
