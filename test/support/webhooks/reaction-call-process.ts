// Makes one call of a reaction in a process of its own, which kills itself at a point of it. Arguments: database address, a file
// that each record the service creates is appended to, and where it ends: 'before' the service, 'after' it, or once it is 'recorded'.

import { appendFileSync } from 'node:fs';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { SqlReactionLog } from '#adapters/persistence/sql-reaction-log.ts';
import { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { createStep, noInbox } from '#test/support/webhooks/reaction-call.ts';

const [url = '', file = '', point = ''] = process.argv.slice(2);
const log = new SqlReactionLog(await openDatabase({ url, entities, migrations }));
const end = (): void => void process.kill(process.pid, 'SIGKILL');
const caller = {
  call: async () => {
    if (point === 'before') end();
    appendFileSync(file, 'created\n');
    if (point === 'after') end();
    return succeeded({ id: 'i-1' });
  },
};
await log.approve({ digest: createStep.digest, reaction: createStep.by, by: 'ada', at: 0 });
await new ApplyCallStep({ ...noInbox, log, caller, clock: systemClock }).run(createStep);
end();
