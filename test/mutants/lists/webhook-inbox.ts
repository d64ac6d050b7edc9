import { inboxOnPostgres } from '#test/mutants/lists/postgres/webhook-inbox.ts';
import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-webhook-inbox.ts';
const changes = 'adapters/persistence/inbox-changes.ts';
const due = 'adapters/persistence/inbox-due.ts';
const memory = 'test/doubles/memory-webhook-inbox.ts';

/** Ways in which a webhook inbox can be broken. */
export const webhookInbox: PortMutants = {
  port: 'webhook-inbox',
  mutants: [
    ...texts('SQLite', sql, [
      ['attempts = attempts + 1', 'attempts = attempts', 'does not count attempts'],
      [
        'toSorted((left, right) => left.seq - right.seq)',
        'toSorted((left, right) => right.seq - left.seq)',
        'hands out the other way round',
      ],
      ['lease_until = ${now} + ${Math.trunc(leaseMs)},', 'lease_until = ${now},', 'leases for no time'],
      [
        'lease_until = ${now} + ${Math.trunc(leaseMs)},',
        'lease_until = ${now} + ${Math.ceil(leaseMs / 1000) * 1000 + 1000},',
        'leases a second too long',
      ],
      ['has[`lane_${index}`] === 1', 'has[`lane_${index}`] === 0', 'claims from lanes in which nothing waits'],
      [
        'if (lanes?.length === 0) return [];',
        'if (lanes?.length === 0) return this.claim({ ...claim, lanes: undefined });',
        'takes no lanes for all',
      ],
      ["{ state: 'leased', leaseOwner: owner }", "{ state: 'leased' }", 'renews the leases of all'],
      [
        "orderBy({ seq: 'asc' }).limit(Math.trunc(limit))",
        "orderBy({ seq: 'desc' }).limit(Math.trunc(limit))",
        'lists bodies the other way round',
      ],
      ['body: { $ne: null }, seq: { $gt: after }', 'seq: { $gt: after }', 'lists pruned bodies'],
      ['$gt: after', '$gte: after', 'lists the last body again'],
      ['{ seq, body: before }', '{ seq }', 'rewrites whatever is stored'],
      ["orderBy({ seq: 'desc' })", "orderBy({ seq: 'asc' })", 'lists the oldest first'],
      [
        "const isOpen = \"state in ('pending', 'leased')\"",
        'const isOpen = "state = \'pending\'"',
        'does not wait for what is leased',
      ],
      [
        "const isOpen = \"state in ('pending', 'leased')\"",
        "const isOpen = \"state in ('pending', 'leased', 'dead')\"",
        'waits for the dead',
      ],
      ['.where({ service });', '.where({});', 'has one last delivery for all services'],
      ["orderBy({ receivedAt: 'desc' })", "orderBy({ receivedAt: 'asc' })", 'has the first delivery for the last'],
      ['calls: service, availableAt: { $gt: availableAt }', 'calls: service', 'puts off what is due sooner'],
      ['calls: service, availableAt: { $gt', 'availableAt: { $gt', 'wakes what waits for others'],
      [
        "{ state: 'pending', calls: service,",
        '{ calls: service,',
        'wakes what is over',
        'Nothing reads when an entry that is not pending is due.',
      ],
      ['error: { $ne: null }, calls: { $ne: null }', 'calls: { $ne: null }', 'awaits what nothing failed at'],
      ["{ state: 'pending', error: { $ne: null },", '{ error: { $ne: null },', 'awaits what the dead called'],
      ["select('calls', true)", "select('calls')", 'names an awaited service twice'],
      ['{ attempts: 0, failingSince: null,', '{ failingSince: null,', 'replays with the tries used up'],
      ['{ attempts: 0, failingSince: null,', '{ attempts: 0,', 'replays as failing'],
      ['{ seq, state, body: { $ne: null } }', '{ seq, state }', 'replays what was pruned'],
      ['{ seq, state, body: { $ne: null } }', '{ seq, body: { $ne: null } }', 'replays what is under way'],
      ["$in: ['pending', 'dead']", "$in: ['pending', 'dead', 'leased']", 'skips what is under way'],
      [
        "{ seq, state: { $in: ['pending', 'dead'] } }",
        "{ seq: { $gte: seq }, state: { $in: ['pending', 'dead'] } }",
        'skips all that follow',
      ],
      [
        "state: 'skipped' as const, finishedAt: raw(this.#now())",
        "state: 'skipped' as const",
        'does not note when it skipped',
      ],
      ['$lt: finishedBefore', '$lte: finishedBefore', 'prunes a moment too soon'],
      [', state: { $in: [...finished] } };', ' };', 'prunes the dead'],
      ['nowSql(this.#database.kind, this.#clock)', 'nowSql(this.#database.kind, null)', 'goes by another clock'],
      [
        'for (const ended of endings) changed',
        'for (const ended of endings.slice(0, 1)) changed',
        'ends the first of a batch',
      ],
      [
        'if (entries.length <= maxToShare) return this.#batches.add(entries);',
        'if (entries.length <= maxToShare) {\n      void this.#batches.add(entries);\n      return entries.length;\n    }',
        'does not wait for the disk',
      ],
      ['given({ $lt: before })', 'given({ $lte: before })', 'lists the last of a page again'],
      ['given({ state, service, receivedAt', 'given({ service, receivedAt', 'lists every state'],
      ['given({ state, service, receivedAt', 'given({ state, receivedAt', 'lists every service'],
      ['$gte: since', '$gt: since', 'leaves out what came in the first millisecond'],
      ['$lt: until', '$lte: until', 'lists what came at the end'],
      ["'event', 'delivery_id'", "'delivery_id'", 'finds no event by its name'],
      ["'delivery_id', ", '', 'finds no delivery by its id'],
      ["'order_key', ", '', 'finds no record by its id'],
      [', "coalesce(outcome, \'\')"', '', 'finds nothing by what came of it'],
      [
        '"coalesce(outcome, \'\')"',
        "'outcome'",
        'looks into what came of it as it is',
        'A column without a value is like nothing, and the others count.',
      ],
      ['`%${text.replaceAll', '`${text.replaceAll', 'looks at beginnings only'],
      [
        '`lower(${column}) like',
        '`${column} like',
        'distinguishes the case of what is stored',
        'SQLite’s LIKE ignores the case of ASCII by itself.',
      ],
      [".join(' or ')", ".join(' and ')", 'looks for a text in all columns at once'],
      ["replaceAll(/[\\\\%_]/g, '\\\\$&')", "replaceAll(/[]/g, '')", 'takes a text for a pattern'],
    ]),
    ...texts('SQLite', changes, [
      [
        'on conflict (service, delivery_id) do nothing',
        'on conflict (service, delivery_id) do update set event = excluded.event',
        'keeps a delivery again',
      ],
      ['const entries = calls.flat();', 'const entries = calls.flat().slice(0, 20);', 'keeps a part of a batch'],
      [
        'const entries = calls.flat();\n',
        'const entries = calls.flat();\n  if (entries.length > 1) for (const call of entries) await insertEntries(em, [[call]], now);\n',
        'keeps the entries of a call one by one',
      ],
      ['      event,\n      calls,\n', '      event,\n      null,\n', 'loses what an entry calls'],
      ['      traceparent,\n      body,', '      null,\n      body,', 'loses the trace of an entry'],
      ['and lease_owner = ? and attempts = ?', 'and lease_owner = ? and ? > 0', 'takes an ending of a former claim'],
      ['and lease_owner = ? and attempts = ?', 'and ? is not null and attempts = ?', 'takes an ending of anybody'],
      [
        "where seq = ? and state = 'leased' and",
        'where seq = ? and',
        'ends what is over',
        'Who ended it last left no owner, so that no other is taken for it.',
      ],
      [', lease_owner = null, lease_until = null', '', 'keeps the owner of a lease'],
      ['failing_since = coalesce(failing_since, ${now})', 'failing_since = ${now}', 'forgets since when it fails'],
      [
        'error = null, failing_since = null, finished_at = ${now}`;',
        'finished_at = ${now}`;',
        'keeps the error of what is done',
      ],
      ['failing_since = null, attempts = attempts - 1', 'failing_since = null', 'counts a wait as a try'],
      ['available_at = ${at}, failing_since = coalesce', 'failing_since = coalesce', 'tries again at once'],
      [
        "state = 'dead', error = ?, finished_at = ${now}",
        "state = 'done', error = ?, finished_at = ${now}",
        'takes the dead for done',
      ],
      ['    body,\n    ]),', "    body.replaceAll('\\\\u0000', ''),\n    ]),", 'spoils a body'],
    ]),
    ...texts('SQLite', due, [
      ['end <= ${now}', 'end < ${now}', 'hands out a moment too late'],
      ['end <= ${now}', 'end <= ${now} + 1', 'hands out a moment too soon'],
      [
        "where entry.state in ('pending', 'leased') ${where}",
        "where entry.state in ('pending') ${where}",
        'never hands out again',
      ],
      [
        "earlier.state in ('pending', 'leased', 'dead'))",
        "earlier.state in ('pending', 'leased'))",
        'goes on behind the dead',
      ],
      [
        "earlier.state in ('pending', 'leased', 'dead'))",
        "earlier.state in ('pending', 'dead'))",
        'works on a record twice at once',
      ],
      [
        "earlier.state in ('pending', 'leased', 'dead'))",
        "earlier.state in ('leased', 'dead'))",
        'overtakes what waits',
      ],
      [
        'earlier.order_key = entry.order_key',
        'earlier.order_key = entry.order_key and earlier.service = entry.service',
        'keeps no order between services',
      ],
      ['earlier.order_key = entry.order_key', 'true', 'holds everything up'],
      ['order by entry.seq limit', 'order by entry.seq desc limit', 'hands out the latest first'],
      ['order by seq limit ${most})', 'order by seq desc limit ${most})', 'hands out the latest of several lanes'],
      ["`= '${calls}'`", '`is not null`', 'takes one lane for another'],
    ]),
    ...texts('memory', memory, [
      [
        'const readable = entries.map((entry) => frozenCopy(entry));',
        'const readable = entries;',
        'keeps a part of a call',
      ],
      [
        'kept.entry = frozenCopy({ ...kept.entry, ...values });',
        'kept.entry = { ...kept.entry, ...values };',
        'hands out what it stores',
      ],
      ['left.service === right.service && ', '', 'takes one id of two services for one'],
    ]),
    ...texts('encrypted over SQLite', 'adapters/stores/sealed-stores.ts', [
      ['body: box.seal(entry.body, bodyContext(entry))', 'body: entry.body', 'does not encrypt'],
      ['box.open(sealed, bodyContext(entry))', 'sealed', 'does not decrypt'],
    ]),
    ...calls('SQLite', [
      [{ op: 'forgets' }, 'forgets at a restart'],
      [{ op: 'apart' }, 'shows nothing to a second process'],
      [{ op: 'late', method: 'end', answer: true }, 'ends after it has answered'],
      [{ op: 'shared', method: 'list' }, 'hands out one list again and again'],
      [{ op: 'stale', method: 'counts' }, 'remembers what it counted first'],
      [{ op: 'answer', method: 'claim', path: '*.leaseUntil', value: null }, 'does not return how long a lease lasts'],
      [{ op: 'lost', method: 'wake', answer: 1 }, 'wakes nothing'],
      [{ op: 'lost', method: 'prune', answer: 1 }, 'prunes nothing'],
    ]),
    ...inboxOnPostgres,
  ],
};
