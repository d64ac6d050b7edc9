import type { AuthApp } from '#test/support/authorization/auth-app.ts';

/** A browser as far as forms and cookies go: keeps cookies, fills in forms, follows nothing. */
export class PlainBrowser {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(app: Pick<AuthApp, 'origin'>) {
    this.#origin = app.origin;
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  async post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async #send(
    path: string,
    init: Readonly<{ method?: string; body?: URLSearchParams; headers: Record<string, string> }>,
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const response = await fetch(`${this.#origin}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value.join('='));
    }
    return response;
  }
}

/** The hidden fields of a page's forms, unescaped. */
export function hiddenFields(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map((match) => [
      match[1] ?? '',
      unescaped(match[2] ?? ''),
    ]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
