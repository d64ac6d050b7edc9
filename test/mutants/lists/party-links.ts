import { partyLinksOnPostgres } from '#test/mutants/lists/postgres/party-links.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-party-links.ts';
const memory = 'test/doubles/memory-party-links.ts';

/** Ways in which the mapping between the CRMs can be broken. */
export const partyLinks: PortMutants = {
  port: 'party-links',
  mutants: [
    ...texts('SQLite', sql, [
      ['set remote_id = excluded.remote_id, digest', 'set digest', 'keeps the first id'],
      ['digest = excluded.digest,', '', 'keeps the first digest'],
      [',\n         applied_at = excluded.applied_at`', '`', 'keeps the first time'],
      [
        'applied_at = excluded.applied_at',
        'applied_at = max(excluded.applied_at, party_links.applied_at)',
        'never goes back in time',
      ],
      [
        'do nothing returning kind',
        'do update set digest = excluded.digest returning kind',
        'replaces where there was none',
      ],
      ['return added.length === 1;', 'return true;', 'says that it added beside what was there'],
      ['return changed.length === 1;', 'return true;', 'says that it replaced what had become another'],
      ['and remote_id = ? and digest = ?', 'and ? is not null and digest = ?', 'replaces a link to another record'],
      [
        'and digest = ? and applied_at = ?',
        'and ? is not null and applied_at = ?',
        'replaces a link with another digest',
      ],
      ['and applied_at = ? returning', 'and ? is not null returning', 'replaces a link of another time'],
      [
        'where kind = ? and remote_id = ? limit 1',
        'where ? is not null and remote_id = ? limit 1',
        'takes one id of two kinds for one',
      ],
      [
        'where kind = ? and remote_id = ? limit 1',
        'where kind = ? and remote_id like ? || char(37) limit 1',
        'finds ids that begin alike',
      ],
      [
        'where service = ? and kind = ? and record_id = ?',
        'where ? is not null and kind = ? and record_id = ?',
        'takes one id of two services for one',
      ],
      [
        'where service = ? and kind = ? and record_id = ?',
        'where service = ? and ? is not null and record_id = ?',
        'takes a person for an organization',
      ],
      [
        'where service = ? and kind = ? and record_id = ?',
        'where service = ? and kind = ? and cast(record_id as integer) = cast(? as integer)',
        'compares ids as numbers',
      ],
      [
        '[record.service, record.kind, record.id, remoteId, digest, appliedAt]',
        "[record.service, record.kind, record.id, remoteId, '', appliedAt]",
        'loses the digest',
      ],
      [
        '[record.service, record.kind, record.id, remoteId, digest, appliedAt]',
        '[record.service, record.kind, record.id, remoteId, digest, Math.trunc(appliedAt / 1000) * 1000]',
        'keeps whole seconds',
      ],
      [
        '[record.service, record.kind, record.id, remoteId, digest, appliedAt]',
        '[record.service, record.kind, record.id, remoteId, digest.toLowerCase(), appliedAt]',
        'loses the case of a digest',
      ],
      ['kind: row.kind, id: row.record_id', "kind: 'person', id: row.record_id", 'finds persons only'],
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
