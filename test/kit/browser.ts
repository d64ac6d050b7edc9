import { holds } from '#test/kit/checks.ts';
import { keepSecret } from '#test/kit/exchanges.ts';
import { buttonOf, type Form, fieldsOf, formsOf } from '#test/kit/forms.ts';
import { type Answer, type Asking, form, send } from '#test/kit/wire.ts';

/** The credentials of a user. */
export type Login = Readonly<{ email: string; password: string }>;

/** A minimal browser with cookies and forms; it does not follow redirects. */
export class Browser {
  readonly #baseUrl: string;
  readonly cookies = new Map<string, string>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async get(path: string, headers: Asking['headers'] = {}): Promise<Answer> {
    return this.ask({ path, headers });
  }

  async post(path: string, fields: Parameters<typeof form>[0], headers: Asking['headers'] = {}): Promise<Answer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.ask({ method: 'POST', path, headers: { ...type, ...headers }, body: form(fields) });
  }

  /** Sends a request with the cookies, and stores those of the response. */
  async ask(asking: Asking): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...asking.headers };
    const answer = await send(this.#baseUrl, { ...asking, headers });
    for (const line of answer.setCookies) this.#keep(line);
    return answer;
  }

  /** A second browser with the same cookies. */
  copy(): Browser {
    const other = new Browser(this.#baseUrl);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', ...value] = pair.split('=');
    if (/;\s*max-age=0/i.test(line)) this.cookies.delete(name.trim());
    else {
      this.cookies.set(name.trim(), value.join('='));
      keepSecret(value.join('='));
    }
  }
}

/** The login form of a page: the one with a field for a password. */
export function loginForm(page: Answer): Form {
  const found = formsOf(page.text).find(({ controls }) => controls.some(({ type }) => type === 'password'));
  holds(found !== undefined, `${page.asked} to show a form with a password`, `${page.status} ${page.text}`);
  return found;
}

/** The fields of the login form with somebody's e-mail and password in them. */
export function filledIn(page: Answer, { email, password }: Login): readonly (readonly [string, string])[] {
  const { controls } = loginForm(page);
  const nameOf = (types: readonly string[]): string => controls.find(({ type }) => types.includes(type))?.name ?? '';
  const secretName = nameOf(['password']);
  const emailName = nameOf(['email', 'text']);
  const kept = controls.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value] as const);
  return [...kept, [emailName, email], [secretName, password]];
}

/** The consent form of a page: the one with the button Allow Access. */
export function consentForm(page: Answer): Form {
  const found = formsOf(page.text).find((candidate) => buttonOf(candidate, /allow access/i) !== null);
  holds(
    found !== undefined,
    `${page.asked} to show a form with the button Allow Access`,
    `${page.status} ${page.text}`,
  );
  return found;
}

/** The fields that pressing a button of the consent form sends. */
export function decided(page: Answer, decision: 'allow' | 'deny'): readonly (readonly [string, string])[] {
  const found = consentForm(page);
  const button = buttonOf(found, decision === 'allow' ? /allow access/i : /deny/i);
  holds(button !== null, `the consent form to have a button to ${decision}`, found.controls);
  return [...fieldsOf(found), ...(button.name === '' ? [] : [[button.name, button.value] as const])];
}

/** The path that a form of a page is sent to, as seen from the page's own path. */
export function actionPath(baseUrl: string, pagePath: string, { action }: Form): string {
  const { pathname, search } = new URL(action === '' ? pagePath : action, new URL(pagePath, baseUrl));
  return `${pathname}${search}`;
}
