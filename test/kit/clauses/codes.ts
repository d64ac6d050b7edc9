import { equal, holds, inTime, matches, member, status, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { callback, newVerifier } from '#test/kit/kit.ts';
import type { Answer } from '#test/kit/wire.ts';

/** Asserts that an exchange failed with a reason; the server chooses the status. */
export function failedFor(answer: Answer, reason: string): void {
  holds(
    answer.status >= 400 && answer.status < 500,
    `the exchange to fail with ${reason}`,
    `${answer.status} ${answer.text}`,
  );
  equal(member(answer.json, 'access_token'), undefined, 'access_token');
  const said = [member(answer.json, 'reason'), member(answer.json, 'error')];
  holds(said.includes(reason), `the reason ${reason}`, answer.json);
}

const isGood = (answer: Answer): boolean => answer.status === 200;

/** Clauses on authorization codes, and what they are bound to. */
export const codes: readonly Clause[] = [
  contract(
    'CODE-001',
    'a code is code_ and the base64url of 24 bytes, another each time',
    async (kit) => {
      const made = [await kit.code(), await kit.code()];
      for (const { code } of made) matches(code, /^code_[A-Za-z0-9_-]{32}$/, 'the code');
      holds(
        made[0]?.code !== made[1]?.code,
        'two different codes',
        made.map(({ code }) => code),
      );
    },
    ['login'],
  ),
  contract(
    'CODE-002/client',
    'a code is bound to its client',
    async (kit) => {
      const { id } = await kit.newClient();
      failedFor(await kit.exchange(await kit.code(), { client_id: id }), 'invalid_client');
    },
    ['login'],
  ),
  contract(
    'CODE-002/redirect',
    'a code is bound to its redirect URI',
    async (kit) => {
      failedFor(await kit.exchange(await kit.code(), { redirect_uri: `${callback}2` }), 'invalid_redirect_uri');
    },
    ['login'],
  ),
  contract(
    'CODE-002/challenge',
    'a code is bound to its own challenge and no other code’s',
    async (kit) => {
      const [one, two] = [await kit.code({ verifier: newVerifier() }), await kit.code({ verifier: newVerifier() })];
      failedFor(await kit.exchange(one, { code_verifier: two.verifier ?? '' }), 'invalid_code_verifier');
      status(await kit.exchange(two), 200);
    },
    ['login'],
  ),
  contract(
    'CODE-003',
    'a second exchange of a code is invalid_code',
    async (kit) => {
      const code = await kit.code();
      status(await kit.exchange(code), 200);
      failedFor(await kit.exchange(code), 'invalid_code');
    },
    ['login'],
  ),
  contract(
    'CODE-004',
    'of ten exchanges of one code at once exactly one succeeds',
    async (kit) => {
      const code = await kit.code();
      const answers = await Promise.all(Array.from({ length: 10 }, () => kit.exchange(code)));
      equal(answers.filter((answer) => answer.status === 200).length, 1, 'the number of successes');
    },
    ['login'],
  ),
  contract(
    'CODE-005',
    'a code is good for 600 s: after 590 s it still is',
    async (kit) => {
      const answer = await inTime(
        9000,
        async () => {
          const since = Date.now();
          const code = await kit.code();
          return kit.later(590, () => kit.exchange(code), since);
        },
        isGood,
      );
      status(answer, 200);
    },
    ['login', 'clock'],
  ),
  contract(
    'CODE-006',
    'a code is refused as expired_code after more than 600 s',
    async (kit) => {
      const code = await kit.code();
      failedFor(await kit.later(602, () => kit.exchange(code)), 'expired_code');
    },
    ['login', 'clock'],
  ),
  portolan(
    'CODE-006/removed',
    'an expired code is removed when it is refused',
    async (kit) => {
      const code = await kit.code();
      await kit.later(602, async () => {
        failedFor(await kit.exchange(code), 'expired_code');
        failedFor(await kit.exchange(code), 'invalid_code');
      });
    },
    ['login', 'clock'],
  ),
  portolan(
    'CODE-007',
    'a failed exchange for another reason keeps the code',
    async (kit) => {
      const code = await kit.code({ verifier: newVerifier() });
      failedFor(await kit.exchange(code, { client_id: (await kit.newClient()).id }), 'invalid_client');
      failedFor(await kit.exchange(code, { redirect_uri: `${callback}2` }), 'invalid_redirect_uri');
      failedFor(await kit.exchange(code, { code_verifier: newVerifier() }), 'invalid_code_verifier');
      textAt((await kit.exchange(code)).json, 'access_token');
    },
    ['login'],
  ),
  portolan(
    'CODE-011',
    'a code that is used again with another verifier takes its token away',
    async (kit) => {
      const code = await kit.code({ verifier: newVerifier() });
      const token = await kit.exchanged(code);
      status(await kit.api('GET', '/api/connections', undefined, token), 200);
      failedFor(await kit.exchange(code, { code_verifier: newVerifier() }), 'invalid_code');
      status(await kit.api('GET', '/api/connections', undefined, token), 401);
    },
    ['login'],
  ),
  portolan(
    'CODE-012',
    'the same exchange again is invalid_code, and takes nothing away',
    async (kit) => {
      const code = await kit.code({ verifier: newVerifier() });
      const token = await kit.exchanged(code);
      failedFor(await kit.exchange(code), 'invalid_code');
      status(await kit.api('GET', '/api/connections', undefined, token), 200);
    },
    ['login'],
  ),
];
