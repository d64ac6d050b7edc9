import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { equal } from '#test/kit/checks.ts';
import { type Clause, contract, holdsIn, inMode, portolan } from '#test/kit/clause.ts';
import { configOf, levelOf } from '#test/kit/config.ts';
import { masked } from '#test/kit/exchanges.ts';
import { junitOf } from '#test/kit/junit.ts';
import { Kit } from '#test/kit/kit.ts';
import { isGood, reportOf, tableOf } from '#test/kit/report.ts';
import { routeOf } from '#test/kit/routes.ts';
import { runClauses } from '#test/kit/run.ts';
import { tapOf } from '#test/kit/tap.ts';

const passes = contract('CODE-001', 'a check that passes', async () => {});
const fails = contract('CODE-002/one', 'a check that fails', async () => equal(1, 2, 'the number'));
const cannot = contract('CODE-006', 'a check of time', async () => equal(1, 2, 'never'), ['clock']);
const ours = portolan('CODE-007', 'a choice of Portolan', async () => equal(1, 2, 'never'));

async function reported(
  clauses: readonly Clause[],
  expectedFailures: readonly string[] = [],
  baseUrl = 'http://127.0.0.1:1',
) {
  const login = { email: 'kit@example.com', password: 'the secret word' };
  const config = configOf({ baseUrl, login, expectedFailures }, 't.json');
  const kit = new Kit({
    config,
    baseUrl: config.baseUrl,
    emulators: null,
    restart: null,
    dataDir: null,
    clockHook: null,
  });
  const results = await runClauses(kit, clauses);
  return reportOf({ target: config.baseUrl, startedAt: new Date(0), results, expected: expectedFailures });
}

describe('a run of the contract kit', () => {
  it('reports what was expected and what came, in the report and on the terminal (KIT-004)', async () => {
    const report = await reported([passes, fails]);
    expect(report.results.map(({ key, outcome, message }) => [key, outcome, message])).toEqual([
      ['CODE-001', 'passed', null],
      ['CODE-002/one', 'failed', 'expected the number 2; came 1'],
    ]);
    expect(report.counts).toEqual({ clauses: 2, passed: 1, failed: 1, skipped: 0, 'expected-failure': 0 });
    expect(tableOf(report)).toContain('expected the number 2; came 1');
    expect(isGood(report)).toBe(false);
  });

  it('skips what the target provides no means for, and says why (KIT-003)', async () => {
    const { results, counts } = await reported([cannot, ours]);
    expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['skipped', 'the config has no hooks.clock'],
      ['skipped', 'the interface leaves it open, and the config’s level is contract, not portolan'],
    ]);
    expect(counts.passed).toBe(0);
  });

  it('succeeds if only expected failures occur, and fails if one of them passes (KIT-005)', async () => {
    expect(isGood(await reported([passes, fails], ['CODE-002/one']))).toBe(true);
    expect(isGood(await reported([passes, fails], ['CODE-002']))).toBe(true);
    const passed = await reported([passes, fails], ['CODE-001', 'CODE-002/one']);
    expect(passed.unexpectedPasses).toEqual(['CODE-001']);
    expect(isGood(passed)).toBe(false);
  });

  it('quotes the request and the answer of a failure, bounded and without secrets (KIT-008)', async () => {
    const long = `the secret word, ${'x'.repeat(2000)}`;
    const target = createServer((_, response) => response.writeHead(404).end(long));
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const address = target.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const asks = contract('TOKEN-003', 'an exchange', async (kit) => {
      const answer = await kit.tokenRequest('code=code_of-somebody&client_secret=hush&grant_type=authorization_code');
      equal(answer.json, {}, 'the body');
    });
    const { results } = await reported([asks], [], baseUrl);
    await new Promise((resolve) => target.close(resolve));
    const said = results[0]?.message ?? '';
    expect(said).toMatch(
      /^expected the body \{\}; came undefined; asked POST \/token with code=\*\*\*&client_secret=\*\*\*&/,
    );
    expect(said).toContain('answered 404 ***, xxx');
    expect(said).not.toMatch(/secret word|hush|somebody/);
    expect(said.length).toBeLessThan(1000);
  });

  it.each([
    ['{"access_token":"abc.def"}', '{"access_token":"***"}'],
    ["{ access_token: 'abc.def', token_type: 'bearer' }", "{ access_token: '***', token_type: 'bearer' }"],
    ['"{\\"client_secret\\":\\"abc\\"}"', '"{\\"client_secret\\":\\"***\\"}"'],
    ['code=abc&state=x', 'code=***&state=x'],
    ['{"error":"invalid_code","code":404}', '{"error":"invalid_code","code":404}'],
  ])('masks %s (KIT-008)', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it('puts failures of one cause together, those of most checks first (KIT-008)', async () => {
    const refused = (id: string): Clause => contract(id, 'a check', async (kit) => void (await kit.get('/')));
    const { causes } = await reported([fails, refused('CODE-003'), refused('CODE-004')]);
    expect(causes.map(({ checks }) => checks)).toEqual([['CODE-003', 'CODE-004'], ['CODE-002/one']]);
  });

  it('writes JUnit XML and TAP, in which no text of a target ends an element or a line (KIT-009)', async () => {
    const odd = contract('CODE-003', 'a <check> # of "text"', async () => equal('\u0001\n</failure>', '', 'the text'));
    const report = await reported([passes, odd, cannot, fails], ['CODE-002/one']);
    const xml = junitOf(report);
    expect(xml).toContain('<testsuite name="CODE" tests="4" failures="1" errors="0" skipped="2"');
    expect(xml).toContain('name="CODE-003 a &lt;check&gt; # of &quot;text&quot;"');
    expect(xml).toContain('&lt;/failure&gt;');
    expect(xml.match(/<\/failure>/g)).toBeNull();
    expect(tapOf(report).split('\n')).toEqual([
      'TAP version 14',
      '1..4',
      'ok 1 - CODE-001 a check that passes',
      'not ok 2 - CODE-003 a <check> \\# of "text"',
      '  ---',
      expect.stringMatching(/^ {2}message: "expected the text/),
      '  ...',
      'ok 3 - CODE-006 a check of time # SKIP the config has no hooks.clock',
      'not ok 4 - CODE-002/one a check that fails # TODO',
      '  ---',
      '  message: "expected the number 2; came 1"',
      '  ...',
    ]);
  });
});

describe('the modes, levels and routes of a target', () => {
  const config = (more: object) => configOf({ baseUrl: 'http://127.0.0.1:1', ...more }, 't.json');

  it('choose the clauses that hold in them (KIT-010)', () => {
    const { modes } = config({ modes: { metadata: 'on' } });
    expect(modes).toEqual({ metadata: 'on', clients: 'memory', strict: 'off', webhooks: 'off' });
    expect(holdsIn(passes, modes)).toBe(true);
    expect(holdsIn(inMode({ metadata: 'on' }, passes), modes)).toBe(true);
    expect(holdsIn(inMode({ metadata: 'on', clients: 'kept' }, passes), modes)).toBe(false);
  });

  it.each([
    [{}, 'contract'],
    [{ extensions: ['portolan'] }, 'portolan'],
    [{ level: 'recommended' }, 'recommended'],
    [{ level: 'contract', extensions: ['portolan'] }, 'contract'],
  ])('%j is held to %s (KIT-010)', (more, level) => {
    expect(levelOf(config(more))).toBe(level);
  });

  const routes = {
    'GET /api/sales_crm/deals/{id}': 'POST /crm/deal/{id}/read',
    'GET /api/tracker/*': 'GET /issues/*',
    'GET /connect/{service}': 'GET /link/{service}',
  };

  it.each([
    ['GET', '/api/sales_crm/deals/4%2F1?fields=id', { method: 'POST', path: '/crm/deal/4%2F1/read?fields=id' }],
    ['GET', '/api/tracker/teams/one', { method: 'GET', path: '/issues/teams/one' }],
    ['GET', '/connect/signing', { method: 'GET', path: '/link/signing' }],
    ['POST', '/register', { method: 'POST', path: '/register' }],
    ['DELETE', '/api/sales_crm/deals/41', null],
    ['GET', '/api/sales_crm/deals/41/followers', null],
    ['POST', '/save', null],
  ])('%s %s is asked where the table says (KIT-011)', (method, path, found) => {
    expect(routeOf(config({ routes }), { method, path })).toEqual(found);
  });
});
