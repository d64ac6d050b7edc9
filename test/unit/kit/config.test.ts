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
      't.json: hook is not known; it may have baseUrl, login, secrets, hooks, emulators, extensions, expectedFailures.',
    ],
    [{ ...good, extensions: ['other'] }, 't.json: extensions.0 must be "portolan", not "other".'],
    [
      { ...good, emulators: { listen: '4700' } },
      't.json: emulators.listen must be an address and a port such as "127.0.0.1:0" or "127.0.0.1:4700", not "4700".',
    ],
    [
      { baseUrl: 'http://127.0.0.1:0' },
      't.json: baseUrl has port 0, which asks for a free one; give hooks.start, or the port of a server that runs.',
    ],
  ])('is refused in one sentence: %j (KIT-002)', (json, sentence) => {
    expect(() => configOf(json, 't.json')).toThrow(new ConfigFault(sentence));
  });

  it('does not show an invalid password', () => {
    expect(() => configOf({ ...good, login: { email: 'a', password: 12345 } }, 't.json')).toThrow(
      new ConfigFault('t.json: login.password must be a text.'),
    );
  });
});
