import { SqlReactionLog } from '#adapters/persistence/sql-reaction-log.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The log of reactions in a database. */
export const sqlReactionLog: SqlStore<ReactionLog> = {
  tables: [
    'reaction_approvals',
    'reaction_refusals',
    'reaction_calls',
    'reaction_runs',
    'reaction_results',
    'reaction_schedules',
    'reaction_switches',
    'reaction_asides',
  ],
  make: (database) => new SqlReactionLog(database),
};

/** The logs of reactions that this project has. */
export const reactionLogs = [
  memorySubject<ReactionLog>('memory', () => new MemoryReactionLog()),
  sqliteSubject(sqlReactionLog),
];
