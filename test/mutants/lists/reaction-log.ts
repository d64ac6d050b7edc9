import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-reaction-log.ts';

/** Ways in which a log of reactions can be broken. */
export const reactionLog: PortMutants = {
  port: 'reaction-log',
  mutants: [
    ...texts('SQLite', sql, [
      ["where({ state: 'waiting' })", 'where({})', 'begins a call again'],
      ["where({ state: 'waiting' })", "where({ state: 'done' })", 'makes what is done again'],
      ["add({ ...call, state: 'waiting' })", "add({ ...call, state: 'begun' })", 'begins what waits'],
      ["$in: ['begun', 'unknown']", "$in: ['begun']", 'cannot decide'],
      ["$in: ['begun', 'unknown']", "$in: ['begun', 'unknown', 'done']", 'ends what has ended'],
      ["$in: ['begun', 'unknown']", "$in: ['begun', 'unknown', 'waiting']", 'ends what waits'],
      ["{ at: 'desc', key: 'asc' }", "{ at: 'asc', key: 'asc' }", 'lists the earliest first'],
      ["{ at: 'desc', key: 'asc' }", "{ at: 'desc', key: 'desc' }", 'lists those of one time the other way round'],
      ['where(given(query))', 'where({})', 'lists what does not fit'],
      ['{ recordService: service, recordId: id, endedAt', '{ recordId: id, endedAt', 'confuses services'],
      ['$gte: since', '$gt: since', 'leaves out the time itself'],
      ["{ endedAt: 'desc', key: 'asc' }", "{ endedAt: 'asc', key: 'asc' }", 'finds the earliest'],
      ['reaction_runs.faults + excluded.faults', 'reaction_runs.faults + 1', 'counts every run as a fault'],
      ["raw('reaction_runs.runs + 1')", '2', 'counts to 2'],
      ['merge({ at, outcome,', 'merge({ at,', 'keeps the first outcome'],
      [
        'update({ reaction, runTo: from }',
        'update({ reaction, runTo: { $lte: from } }',
        'moves on from where it is not',
      ],
      ["{ reaction: 'asc', at: 'asc', digest: 'asc' }", "{ at: 'asc', digest: 'asc' }", 'lists permissions by time'],
      [
        "asides.list({}, { at: 'desc', digest: 'asc' })",
        "asides.list({}, { digest: 'asc' })",
        'lists what is set aside by its digest',
      ],
      ["evict('refused_at desc, digest'", "evict('digest'", 'forgets the latest refusals'],
      ['refusals.add(refusal, em)', 'refusals.put(refusal, em)', 'replaces a refusal'],
      [
        "refusals.list({}, { at: 'desc', digest: 'asc' })",
        "refusals.list({}, { digest: 'asc' })",
        'lists refusals by digest',
      ],
      ['await this.#refusals.delete({ digest })', '0', 'withdraws no refusal'],
      ["evict('set_aside_at desc, digest'", "evict('digest'", 'forgets the latest that is set aside'],
      ['asides.add(note, em)', 'asides.put(note, em)', 'sets the same text aside again'],
      ["'seq', 'depth', 'at', 'state'", "'seq', 'at', 'state'", 'keeps the depth that waited'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'begin', answer: null }, 'begins nothing'],
      [{ op: 'lost', method: 'wait' }, 'records nothing that waits'],
      [{ op: 'lost', method: 'end', answer: true }, 'ends nothing'],
      [{ op: 'twice', method: 'noteRun' }, 'counts twice'],
      [{ op: 'lost', method: 'setSwitch' }, 'switches nothing'],
      [{ op: 'lost', method: 'refuse' }, 'refuses nothing'],
      [{ op: 'lost', method: 'setAside' }, 'sets nothing aside'],
      [{ op: 'always', method: 'advance', answer: true }, 'lets everybody move on'],
      [{ op: 'reversed', method: 'counts' }, 'lists counts the other way round'],
    ]),
  ],
};
