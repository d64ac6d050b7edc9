import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';

/** A browser in which somebody has signed in at a server. */
export async function signedInAt(
  origin: string,
  { email, password }: Readonly<{ email: string; password: string }>,
): Promise<PlainBrowser> {
  const browser = new PlainBrowser({ origin });
  const fields = hiddenFields(await (await browser.get('/login')).text());
  await browser.post('/login', { ...fields, email, password });
  return browser;
}
