import { z } from 'zod';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

type Server = Readonly<{ origin: string }>;

/** Has an administrator invite somebody, who sets a password by the link and signs in; their browser. */
export async function invited(
  server: Server,
  administrator: PlainBrowser,
  email: string,
  more: Readonly<{ permissions?: readonly string[]; admin?: boolean }> = {},
): Promise<PlainBrowser> {
  const answer = await sendJson(server, administrator, ['POST', '/api/users', { email, ...more }]);
  const { link } = z.object({ link: z.string() }).parse(answer.body);
  const browser = new PlainBrowser(server);
  const page = await browser.get(link.slice(new URL(link).origin.length));
  const password = `the password of ${email}`;
  await browser.post('/welcome', { ...hiddenFields(await page.text()), password });
  return signedInAt(server.origin, { email, password });
}
