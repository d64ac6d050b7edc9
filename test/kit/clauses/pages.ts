import { contains, lacks, matches, status } from '#test/kit/checks.ts';
import { type Clause, portolan } from '#test/kit/clause.ts';

/** Clauses on a user's pages. */
export const pages: readonly Clause[] = [
  portolan(
    'PAGE-001',
    'the home page shows the user’s e-mail and the address for assistants',
    async (kit) => {
      const { text } = await (await kit.signedIn()).get('/floki/index');
      contains(text, kit.login.email, 'the home page');
      contains(text, `${kit.baseUrl}/message`, 'the home page');
    },
    ['login'],
  ),
  portolan('PAGE-005', '/ leads to sign-in, or home', async (kit) => {
    matches((await kit.get('/')).header('location'), /\/login/, 'the location');
    if (kit.config.login !== undefined)
      matches((await (await kit.signedIn()).get('/')).header('location'), /\/floki\/index/, 'the location');
  }),
  portolan(
    'PAGE-009',
    '/deliveries is not for other users',
    async (kit) => {
      const line = (await kit.send({ path: '/set' })).setCookies.find((cookie) => cookie.startsWith('user=')) ?? '';
      status(
        await kit.send({ path: '/deliveries', headers: { accept: 'text/html', cookie: line.split(';')[0] ?? '' } }),
        403,
      );
      const page = await (await kit.signedIn()).get('/deliveries');
      status(page, 200);
      lacks(page.text, kit.config.secrets.tracker ?? '\u0000', 'the page');
    },
    ['login'],
  ),

  portolan(
    'PAGE-008',
    '/page lists the five services',
    async (kit) => {
      const { text } = await (await kit.signedIn()).get('/page');
      for (const name of ['Sales CRM', 'Signing service', 'Suite CRM', 'Tracker', 'Vault'])
        contains(text, name, '/page');
    },
    ['login'],
  ),
];
