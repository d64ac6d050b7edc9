import { expect, it } from 'vitest';
import { BeginSession } from '#application/session/begin-session.ts';
import { RenewSession } from '#application/session/renew-session.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';

const hourMs = 3_600_000;
const user = { id: 1, email: 'ada@example.com', permissions: [], isAdmin: false, signedOutBefore: null };
const tokens = { seal: async () => 'sealed' };

it.each([
  ['oidc', 12, 12],
  ['link', 12, 12],
  ['login', 720, 731],
  ['welcome', 720, 731],
])(
  'a session begun by %s ends %i hours after the sign-in, and %i after it when it is renewed (SESS-028)',
  async (begunBy, hours, renewedHours) => {
    const [sessions, clock] = [new MemorySessions(), new SettableClock(1_800_000_000_000)];
    const start = clock.now();
    const begin = new BeginSession({ sessions, tokens, random: systemRandom, clock, audience: null });
    const caller = await begin.run(user, { begunBy, userAgent: '' });
    const endsAt = async () => ((await sessions.list(1))[0]?.expiresAt ?? 0) - start;
    expect(await endsAt()).toBe(hours * hourMs);
    clock.advance(11 * hourMs);
    await new RenewSession({ sessions, tokens, clock, audience: null }).run(caller);
    expect(await endsAt()).toBe(renewedHours * hourMs);
  },
);

it('a session that goes on after the others were signed out keeps its end (SESS-028)', async () => {
  const [sessions, clock] = [new MemorySessions(), new SettableClock(1_800_000_000_000)];
  const begunAt = clock.now() - 11 * hourMs;
  const begin = new BeginSession({ sessions, tokens, random: systemRandom, clock, audience: null });
  await begin.run(user, { begunBy: 'oidc', userAgent: '', begunAt });
  expect((await sessions.list(1))[0]?.expiresAt).toBe(begunAt + 12 * hourMs);
});
