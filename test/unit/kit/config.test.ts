import { describe, expect, it } from 'vitest';
import { ConfigFault, configOf } from '#test/kit/config.ts';

const good = { baseUrl: 'http://127.0.0.1:3000' };

describe('the config of the contract kit', () => {
  it('needs only an address', () => {
    expect(configOf(good, 't.json')).toMatchObject({ ...good, extensions: [], expectedFailures: [], hooks: {} });
  });

  it.each([
    [[], 't.json: it must be an object, not [].'],
    [{}, 't.json: baseUrl is missing and must be an address such as "http://127.0.0.1:3000".'],
    [{ baseUrl: 'x' }, 't.json: baseUrl must be an address such as "http://127.0.0.1:3000", without a path, not "x".'],
    [{ ...good, login: { email: 'a' } }, 't.json: login.password is missing and must be a text.'],
    [
      { ...good, secrets: { trackr: 'x' } },
      't.json: secrets.trackr is not known; secrets may have sales_crm, signing, suite_crm, tracker.',
    ],
    [
      { ...good, hook: {} },
      't.json: hook is not known; it may have baseUrl, publicUrl, login, secrets, hooks, emulators, extensions, level, modes, routes, expectedFailures.',
    ],
    [{ ...good, extensions: ['other'] }, 't.json: extensions.0 must be "portolan", not "other".'],
    [
      { ...good, emulators: { listen: '4700' } },
      't.json: emulators.listen must be an address and a port such as "127.0.0.1:0" or "127.0.0.1:4700", not "4700".',
    ],
    [{ ...good, level: 'all' }, 't.json: level must be "contract" or "recommended" or "portolan", not "all".'],
    [{ ...good, modes: { metadata: true } }, 't.json: modes.metadata must be "off" or "on", not true.'],
    [
      { ...good, modes: { meta: 'on' } },
      't.json: modes.meta is not known; modes may have metadata, clients, strict, webhooks.',
    ],
    [
      { ...good, routes: { 'GET /api/x': '/x' } },
      't.json: routes.GET /api/x must be a method and a path such as "GET /api/sales_crm/deals/{id}", not "/x".',
    ],
    [
      { ...good, routes: { deals: 'GET /x' } },
      't.json: routes.deals must be a method and a path such as "GET /api/sales_crm/deals/{id}".',
    ],
    [
      { baseUrl: 'http://127.0.0.1:0' },
      't.json: baseUrl has port 0, which asks for a free one; give hooks.start, or the port of a server that runs.',
    ],
  ])('is refused in one sentence: %j (KIT-002)', (json, sentence) => {
    expect(() => configOf(json, 't.json')).toThrow(new ConfigFault(sentence));
  });

  it('is refused with all its errors at once (KIT-012)', () => {
    const known = new Set(['CODE-006']);
    const json = { baseUrl: 'x', hook: {}, level: 'all', expectedFailures: ['CODE-006', 'CODE-6'] };
    expect(() => configOf(json, 't.json', known)).toThrow(
      new ConfigFault(
        [
          't.json: baseUrl must be an address such as "http://127.0.0.1:3000", without a path, not "x".',
          't.json: level must be "contract" or "recommended" or "portolan", not "all".',
          't.json: hook is not known; it may have baseUrl, publicUrl, login, secrets, hooks, emulators, extensions, level, modes, routes, expectedFailures.',
          't.json: expectedFailures names CODE-6, which is no clause; --list prints them.',
        ].join('\n'),
      ),
    );
  });

  it('does not show an invalid password', () => {
    expect(() => configOf({ ...good, login: { email: 'a', password: 12345 } }, 't.json')).toThrow(
      new ConfigFault('t.json: login.password must be a text.'),
    );
  });
});
