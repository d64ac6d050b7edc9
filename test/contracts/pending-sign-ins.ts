import type { PendingSignIn, PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { pendingClauses } from '#test/contracts/kit/pending-clauses.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const full = (): PendingSignIn => ({
  browser: 'b-1',
  codeVerifier: 'the verifier',
  nonce: 'the nonce',
  authorize: `client_id=c&state=${oddText}`,
  userId: 7,
  sessionId: 'the session',
  startedAt: 1_769_172_711_789,
});
const bare = (): PendingSignIn => ({
  ...full(),
  browser: 'b-2',
  authorize: null,
  userId: null,
  sessionId: null,
  startedAt: 1_769_172_711_790,
});

/** Contract suite of stores of pending sign-ins. Bounded stores are opened with a capacity of four. */
export function pendingSignInsContract<Handle extends Opened<PendingSignIns>>(
  runner: Runner,
  subject: Subject<PendingSignIns, Handle>,
): void {
  contract<PendingSignIns, Handle>(runner, subject, {
    port: 'pending sign-ins',
    max: 4,
    define: (clause) => {
      const of = (browser: string) => ({ ...full(), browser });
      pendingClauses(clause, { prefix: 'SIGNIN', noun: 'sign-in', full, bare, of });
    },
  });
}
