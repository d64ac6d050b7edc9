import { z } from 'zod';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';

/** Who signs in. */
export type Credentials = Readonly<{ email: string; password: string }>;

const outcome = z.looseObject({ state: z.string().optional() });

/** A person in a browser, signed in by the login page: everything goes the server's own public ways. */
export class SignedIn {
  readonly #origin: string;
  readonly #browser: PlainBrowser;

  private constructor(origin: string, browser: PlainBrowser) {
    this.#origin = origin;
    this.#browser = browser;
  }

  /** Signs in; throws when the server does not let them in. */
  static async to(origin: string, { email, password }: Credentials): Promise<SignedIn> {
    const browser = new PlainBrowser({ origin });
    const page = await browser.get('/login');
    const answer = await browser.post('/login', { ...hiddenFields(await page.text()), email, password });
    if (answer.status !== 303) throw new Error(`Signing in was answered ${answer.status}`);
    return new SignedIn(origin, browser);
  }

  /** Connects a service with a key of its user's (`POST /save`); throws when the service refuses the key. */
  async save(service: ServiceKey, authMethod: 'api_key' | 'personal_token', accessToken: string): Promise<void> {
    const saved = await this.call('POST', '/save', { service, auth_method: authMethod, access_token: accessToken });
    const { state } = outcome.parse(saved);
    if (state !== 'connected') throw new Error(`The ${service} is ${state ?? 'not connected'}`);
  }

  /** Connects a service by OAuth: to the service, whose consent is given at once, and back. */
  async connect(service: ServiceKey): Promise<void> {
    const away = await this.#browser.get(`/connect/${service}`);
    const consented = await fetch(locationOf(away), { redirect: 'manual' });
    const back = new URL(locationOf(consented));
    const answer = await this.#browser.get(`${back.pathname}${back.search}`);
    if (answer.status !== 303) throw new Error(`Connecting the ${service} was answered ${answer.status}`);
  }

  /** Calls a JSON route; throws with the answer when it is not a success. */
  async call(method: string, path: string, body: unknown = null): Promise<unknown> {
    const answer = await this.fetch(path, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** The value of a cookie; an empty text when there is none. */
  cookie(name: string): string {
    return this.#browser.cookies.get(name) ?? '';
  }

  /** A request with the session's cookie. */
  fetch(path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) {
    const cookie = [...this.#browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(new URL(path, this.#origin), { ...init, headers: { ...init.headers, cookie } });
  }
}

function locationOf(answer: Response): string {
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.url} was answered ${answer.status}, and leads nowhere`);
  return location;
}
