import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const sql = 'adapters/persistence/sql-reaction-log.ts';

/** Ways in which a log of reactions can be broken. */
export const reactionLog: PortMutants = {
  port: 'reaction-log',
  mutants: [
    ...texts('SQLite', sql, [
      ["where reaction_calls.state = 'waiting' returning call_key", 'returning call_key', 'begins a call again'],
      [
        "where reaction_calls.state = 'waiting' returning",
        "where reaction_calls.state = 'done' returning",
        'makes what is done again',
      ],
      [
        "values (?, ?, ?, ?, ?, ?, 'waiting') on conflict",
        "values (?, ?, ?, ?, ?, ?, 'begun') on conflict",
        'begins what waits',
      ],
      ["state in ('begun', 'unknown')", "state in ('begun')", 'cannot decide'],
      ["state in ('begun', 'unknown')", "state in ('begun', 'unknown', 'done')", 'ends what has ended'],
      ["state in ('begun', 'unknown')", "state in ('begun', 'unknown', 'waiting')", 'ends what waits'],
      ['order by begun_at desc, call_key limit', 'order by begun_at, call_key limit', 'lists the earliest first'],
      [
        'order by begun_at desc, call_key limit',
        'order by begun_at desc, call_key desc limit',
        'lists those of one time the other way round',
      ],
      ["conditions.join(' and ')", "conditions.join(' or ')", 'lists what one of two fits'],
      ['record_service = ? and record_id = ? and', 'record_service <> ? and record_id = ? and', 'confuses services'],
      ['and ended_at >= ?', 'and ended_at > ?', 'leaves out the time itself'],
      ['order by ended_at desc, call_key limit 1', 'order by ended_at, call_key limit 1', 'finds the earliest'],
      [
        'faults = reaction_runs.faults + excluded.faults',
        'faults = reaction_runs.faults + 1',
        'counts every run as a fault',
      ],
      ['runs = reaction_runs.runs + 1', 'runs = 2', 'counts to 2'],
      ['last_outcome = excluded.last_outcome, ', '', 'keeps the first outcome'],
      [
        'where reaction = ? and run_to = ? returning',
        'where reaction = ? and run_to <= ? returning',
        'moves on from where it is not',
      ],
      ['order by reaction, allowed_at, digest', 'order by allowed_at, digest', 'lists permissions by time'],
      ['order by set_aside_at desc, digest', 'order by digest', 'lists what is set aside by its digest'],
      ['order by set_aside_at desc, digest limit', 'order by digest limit', 'forgets the latest that is set aside'],
      [
        'values (?, ?, ?) on conflict (digest) do nothing',
        'values (?, ?, ?) on conflict (digest) do update set reaction = excluded.reaction',
        'sets the same text aside anew',
      ],
      ['excluded.seq, depth = excluded.depth', 'excluded.seq', 'keeps the depth that waited'],
    ]),
    ...calls('memory', [
      [{ op: 'lost', method: 'begin', answer: null }, 'begins nothing'],
      [{ op: 'lost', method: 'wait' }, 'records nothing that waits'],
      [{ op: 'lost', method: 'end', answer: true }, 'ends nothing'],
      [{ op: 'twice', method: 'noteRun' }, 'counts twice'],
      [{ op: 'lost', method: 'setSwitch' }, 'switches nothing'],
      [{ op: 'lost', method: 'setAside' }, 'sets nothing aside'],
      [{ op: 'always', method: 'advance', answer: true }, 'lets everybody move on'],
      [{ op: 'reversed', method: 'counts' }, 'lists counts the other way round'],
    ]),
  ],
};
