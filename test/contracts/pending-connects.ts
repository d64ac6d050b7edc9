import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { pendingClauses } from '#test/contracts/kit/pending-clauses.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const full = (): PendingConnect => ({
  userId: 7,
  service: 'suite_crm',
  browser: 'b-1',
  codeVerifier: 'the verifier',
  extra: { data_center: 'EU', text: oddText, list: [1, null, { deep: true }], none: null },
  startedAt: 1_769_172_711_789,
});
const bare = (): PendingConnect => ({
  userId: 8,
  service: 'signing',
  browser: 'b-2',
  codeVerifier: null,
  extra: {},
  startedAt: 1_769_172_711_790,
});

/** Contract suite of stores of pending connects. Bounded stores are opened with a capacity of four. */
export function pendingConnectsContract<Handle extends Opened<PendingConnects>>(
  runner: Runner,
  subject: Subject<PendingConnects, Handle>,
): void {
  contract<PendingConnects, Handle>(runner, subject, {
    port: 'pending connects',
    max: 4,
    define: (clause) => {
      const of = (browser: string) => ({ ...full(), browser });
      pendingClauses(clause, { prefix: 'PENDING', noun: 'connect', full, bare, of });
    },
  });
}
