import { partyLinksOnPostgres } from '#test/mutants/lists/postgres/party-links.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-party-links.ts';
const memory = 'test/doubles/memory-party-links.ts';

/** Ways in which the mapping between the CRMs can be broken. */
export const partyLinks: PortMutants = {
  port: 'party-links',
  mutants: [
    ...texts('SQLite', sql, [
      ['await this.#links.put(row);', 'await this.#links.add(row);', 'keeps the first link'],
      [
        'if (before === null) return this.#links.add(row);',
        'if (before === null) return this.#links.put(row).then(() => true);',
        'replaces where there was none',
      ],
      [
        'if (before === null) return this.#links.add(row);',
        'if (before === null) return this.#links.add(row).then(() => true);',
        'says that it added to what was there',
      ],
      [
        'digest, appliedAt }, link)) === 1',
        'digest, appliedAt }, link)) >= 0',
        'says that it replaced what had become another',
      ],
      [
        '...keysOf(record), remoteId, digest, appliedAt }, link',
        '...keysOf(record), digest, appliedAt }, link',
        'replaces a link to another record',
      ],
      [
        '...keysOf(record), remoteId, digest, appliedAt }, link',
        '...keysOf(record), remoteId, appliedAt }, link',
        'replaces a link with another digest',
      ],
      [
        '...keysOf(record), remoteId, digest, appliedAt }, link',
        '...keysOf(record), remoteId, digest }, link',
        'replaces a link of another time',
      ],
      ['where({ kind, remoteId })', 'where({ remoteId })', 'takes one id of two kinds for one'],
      [
        'where({ kind, remoteId })',
        'where({ kind, remoteId: { $like: `${remoteId}%` } })',
        'finds ids that begin alike',
      ],
      [
        'return { service, kind, recordId };',
        'return { kind, recordId, service: { $ne: service } };',
        'confuses services',
      ],
      [
        'find(keysOf(record))',
        'find({ kind: record.kind, recordId: record.id })',
        'takes one id of two services for one',
      ],
      [
        'find(keysOf(record))',
        'find({ service: record.service, recordId: record.id })',
        'takes a person for an organization',
      ],
      ['{ ...keysOf(record), ...link };', "{ ...keysOf(record), ...link, digest: '' };", 'loses the digest'],
      [
        '{ ...keysOf(record), ...link };',
        '{ ...keysOf(record), ...link, appliedAt: Math.trunc(link.appliedAt / 1000) * 1000 };',
        'keeps whole seconds',
      ],
      [
        '{ ...keysOf(record), ...link };',
        '{ ...keysOf(record), ...link, digest: link.digest.toLowerCase() };',
        'loses the case of a digest',
      ],
      ['kind: row.kind, id: row.recordId', "kind: 'person', id: row.recordId", 'finds persons only'],
    ]),
    ...texts('memory', memory, [
      ['frozenCopy(link)', 'link', 'keeps the object that it was given'],
      ['before !== undefined && ', 'before === null && ', 'replaces what has become another'],
      ['link.record.kind === kind && ', '', 'takes one id of two kinds for one'],
      ['this.#links.set(', 'if (!this.#links.has(key)) this.#links.set(', 'keeps the first of a record'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'lost', method: 'keep' }, 'loses every link'],
      [{ op: 'once', method: 'keep' }, 'loses every link but the first'],
      [{ op: 'late', method: 'keep' }, 'keeps after it has answered'],
      [{ op: 'stale', method: 'find' }, 'remembers what it found first'],
      [{ op: 'stale', method: 'findByRemote' }, 'remembers what it found first by the other id'],
      [{ op: 'shared', method: 'find' }, 'hands out one object again and again'],
      [{ op: 'shared', method: 'findByRemote' }, 'hands out one record again and again'],
      [{ op: 'always', method: 'findByRemote', answer: null }, 'finds nothing by the other id'],
    ]),
    ...partyLinksOnPostgres,
  ],
};
