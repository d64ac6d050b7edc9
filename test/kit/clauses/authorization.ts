import { consentForm, decided, filledIn, loginForm } from '#test/kit/browser.ts';
import { contains, equal, holds, lacks, matches, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, recommended } from '#test/kit/clause.ts';
import { buttonOf, fieldsOf, hiddenOf, wordsOf } from '#test/kit/forms.ts';
import { authorizePath, callback, challengeOf, locationOf } from '#test/kit/kit.ts';
import { asks, errorSentBack } from '#test/kit/redirects.ts';
import type { Answer } from '#test/kit/wire.ts';

const challenge = challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');

/** Clauses on the login and consent pages, and the effect of their buttons. */
export const authorization: readonly Clause[] = [
  contract('AUTH-001', 'without a session the login page shows the client’s name', async (kit) => {
    const client = await kit.newClient(callback, 'Kit with a name of its own');
    const page = await kit.get(authorizePath(client));
    status(page, 200);
    matches(page.header('content-type'), /^text\/html\b/, 'the content type');
    loginForm(page);
    contains(wordsOf(page.text), 'Kit with a name of its own', 'the page');
  }),
  contract(
    'AUTH-002',
    'with a session the consent page has the buttons Allow Access and Deny',
    async (kit) => {
      const page = await asks(kit, {});
      status(page, 200);
      const form = consentForm(page);
      holds(buttonOf(form, /^Allow Access$/) !== null, 'a button Allow Access', form.controls);
      holds(buttonOf(form, /^Deny$/) !== null, 'a button Deny', form.controls);
    },
    ['login'],
  ),
  ...(['login', 'consent'] as const).map((page) =>
    contract(
      `AUTH-003/${page}`,
      `the parameters go through the ${page} page as hidden fields`,
      async (kit) => {
        const client = await kit.client();
        const sent = { state: 'a "state" & <more>', code_challenge: challenge, code_challenge_method: 'S256' };
        const path = authorizePath(client, sent);
        const shown = page === 'login' ? await kit.get(path) : await (await kit.signedIn()).get(path);
        const hidden = hiddenOf(page === 'login' ? loginForm(shown) : consentForm(shown));
        const expected = { client_id: client.id, redirect_uri: client.redirectUri, ...sent };
        for (const [name, value] of Object.entries(expected))
          equal(new Map(Object.entries(hidden)).get(name), value, `the hidden field ${name}`);
      },
      page === 'login' ? [] : ['login'],
    ),
  ),
  portolan('AUTH-004', 'the login form’s fields are email and password', async (kit) => {
    const { controls } = loginForm(await kit.get(authorizePath(await kit.client())));
    const names = controls.filter(({ type }) => !['hidden', 'submit'].includes(type)).map(({ name }) => name);
    equal(names, ['email', 'password'], 'the fields');
  }),
  contract(
    'AUTH-005',
    'a failed login shows the login page again with a banner that does not say which was wrong',
    async (kit) => {
      const browser = kit.browser();
      const path = authorizePath(await kit.client());
      const failed = async (email: string): Promise<Answer> =>
        browser.post('/authorize', filledIn(await browser.get(path), { email, password: 'not this one' }));
      const before = wordsOf((await browser.get(path)).text);
      const [known, unknown] = [await failed(kit.login.email), await failed('nobody@kit.example')];
      for (const page of [known, unknown]) loginForm(page);
      const words = wordsOf(known.text);
      holds(words !== before, 'a banner in addition to what the page said before', words);
      equal(
        words.replaceAll(kit.login.email, ''),
        wordsOf(unknown.text).replaceAll('nobody@kit.example', ''),
        'the same words for both:',
      );
      equal(browser.cookies.has('user'), false, 'a session after a failed login:');
    },
    ['login'],
  ),
  contract(
    'AUTH-006',
    'allowing answers 302 to the redirect URI with code and state',
    async (kit) => {
      const browser = await kit.signedIn();
      const answer = await kit.allow(browser, authorizePath(await kit.client(), { state: 'a state & ümlaut' }));
      status(answer, 302);
      const { origin, pathname, searchParams } = locationOf(answer);
      equal(`${origin}${pathname}`, callback, 'the redirect to');
      equal(searchParams.get('state'), 'a state & ümlaut', 'state');
      holds((searchParams.get('code') ?? '') !== '', 'a code', answer.header('location'));
    },
    ['login'],
  ),
  contract(
    'AUTH-006/deny',
    'only allowing gives a code: denying gives none',
    async (kit) => {
      const answer = await kit.allow(await kit.signedIn(), authorizePath(await kit.client()), 'deny');
      lacks(answer.header('location'), 'code=', 'the redirect');
    },
    ['login'],
  ),
  portolan(
    'AUTH-007',
    'denying answers 302 with access_denied and state, and gives no code',
    async (kit) => {
      const answer = await kit.allow(
        await kit.signedIn(),
        authorizePath(await kit.client(), { state: 'mine' }),
        'deny',
      );
      status(answer, 302);
      equal(errorSentBack(answer, 'access_denied').get('state'), 'mine', 'state');
    },
    ['login'],
  ),
  portolan(
    'AUTH-015',
    'consent names the client, the host that the code goes to, and the user',
    async (kit) => {
      const client = await kit.newClient('https://kit-app.example/callback', 'Kit of consent');
      const words = wordsOf((await (await kit.signedIn()).get(authorizePath(client))).text);
      for (const part of ['Kit of consent', 'kit-app.example', kit.login.email])
        contains(words, part, 'the consent page');
    },
    ['login'],
  ),
  ...(['login', 'consent'] as const).map((page) =>
    recommended(
      `AUTH-016/${page}`,
      `the ${page} form is refused without its CSRF token, and with another browser’s`,
      async (kit) => {
        const path = authorizePath(await kit.client());
        const mine = page === 'login' ? kit.browser() : await kit.signedIn();
        const shown = await mine.get(path);
        const fields = page === 'login' ? filledIn(shown, kit.login) : decided(shown, 'allow');
        const without = fields.filter(([name]) => !/csrf/i.test(name));
        holds(
          without.length < fields.length,
          'a field with a CSRF token',
          fields.map(([name]) => name),
        );
        const other = kit.browser();
        const foreign = fieldsOf(loginForm(await other.get(path))).find(([name]) => /csrf/i.test(name)) ?? ['csrf', ''];
        for (const given of [without, [...without, foreign]]) {
          const answer = await mine.post('/authorize', given);
          holds(
            answer.status !== 302 || !answer.header('location').includes('code='),
            'no code',
            answer.header('location'),
          );
          if (page === 'login') equal(mine.cookies.has('user'), false, 'a session without the token:');
        }
      },
      ['login'],
    ),
  ),
  ...(['login', 'consent'] as const).map((page) =>
    recommended(
      `AUTH-017/${page}`,
      `the ${page} page forbids framing and is not stored`,
      async (kit) => {
        const path = authorizePath(await kit.client());
        const shown = page === 'login' ? await kit.get(path) : await (await kit.signedIn()).get(path);
        contains(shown.header('content-security-policy'), "frame-ancestors 'none'", 'the content security policy');
        contains(shown.header('cache-control'), 'no-store', 'cache-control');
      },
      page === 'login' ? [] : ['login'],
    ),
  ),
  recommended(
    'AUTH-021',
    'a client’s name is escaped on both pages',
    async (kit) => {
      const name = '<img src=x onerror=alert(1)>&amp;"\'';
      const client = await kit.newClient(callback, name);
      for (const page of [
        await kit.get(authorizePath(client)),
        await (await kit.signedIn()).get(authorizePath(client)),
      ]) {
        lacks(page.text, '<img src=x', 'the page');
        contains(wordsOf(page.text), '&amp;', 'the page');
      }
    },
    ['login'],
  ),
  portolan(
    'AUTH-022',
    'signing in sets the cookie and shows consent',
    async (kit) => {
      const browser = kit.browser();
      const page = await browser.get(authorizePath(await kit.client()));
      consentForm(await browser.post('/authorize', filledIn(page, kit.login)));
      equal(browser.cookies.has('user'), true, 'a session:');
    },
    ['login'],
  ),
  portolan(
    'AUTH-026',
    'a consent form with other parameters than the user saw gives no code',
    async (kit) => {
      const browser = await kit.signedIn();
      const page = await browser.get(authorizePath(await kit.client()));
      const fields = decided(page, 'allow').map(
        ([name, value]) => [name, name === 'state' ? 'another' : value] as const,
      );
      const answer = await browser.post('/authorize', fields);
      lacks(answer.header('location'), 'code=', 'the redirect');
    },
    ['login'],
  ),
  portolan(
    'AUTH-027',
    'prompt=login shows the login page to somebody who is signed in',
    async (kit) => {
      loginForm(await asks(kit, { prompt: 'login' }));
    },
    ['login'],
  ),
  portolan(
    'AUTH-029',
    'allowing with no service ticked gives no code',
    async (kit) => {
      const browser = await kit.signedIn();
      const fields = decided(await browser.get(authorizePath(await kit.client())), 'allow');
      const answer = await browser.post(
        '/authorize',
        fields.map(([name, value]) => [name, name.startsWith('access_') ? 'off' : value] as const),
      );
      lacks(answer.header('location'), 'code=', 'the redirect');
    },
    ['login'],
  ),
];
