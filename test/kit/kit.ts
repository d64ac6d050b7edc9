import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Browser, decided, filledIn, type Login } from '#test/kit/browser.ts';
import { holds, Skipped, status, textAt } from '#test/kit/checks.ts';
import type { Level, Need, ServiceKey } from '#test/kit/clause.ts';
import { type Config, levelOf } from '#test/kit/config.ts';
import { connectAll } from '#test/kit/connections.ts';
import type { Emulator, Received } from '#test/kit/emulators/emulator.ts';
import type { Emulators } from '#test/kit/emulators/emulators.ts';
import { keepSecret, watchExchanges } from '#test/kit/exchanges.ts';
import { setClock } from '#test/kit/hooks.ts';
import { McpClient } from '#test/kit/mcp.ts';
import { demandRoute, type Route } from '#test/kit/routes.ts';
import { type Answer, type Asking, form, send } from '#test/kit/wire.ts';

/** Where the kit's clients have codes sent to. Nothing listens there: the kit follows no redirect. */
export const callback = 'http://127.0.0.1:9/callback';

/** How long a sign-in and its token count, in seconds. */
const signInS = 2_592_000;

/** A client as `/register` answers it. `verifier` is what it sends a challenge of where the target requires one. */
export type Client = Readonly<{ id: string; secret: string; redirectUri: string; verifier?: string }>;

/** A code and all that its exchange has to bring. `verifier` is null when no challenge was sent. */
export type Code = Readonly<{ code: string; client: Client; verifier: string | null }>;

type ApiCall = readonly [method: string, path: string, body?: unknown, token?: string];

/** How a kit is opened. `restart` is null if the kit did not start the target. */
export type KitParts = Readonly<{
  config: Config;
  baseUrl: string;
  emulators: Emulators | null;
  restart: (() => Promise<void>) | null;
  /** The folder that the target was given for its data; null if the kit did not start it. */
  dataDir: string | null;
  clockHook: string | null;
}>;

/** The environment of clauses: the target, its user, and the emulators behind it. A kit runs one clause at a time. */
export class Kit {
  readonly baseUrl: string;
  readonly config: Config;
  readonly #parts: KitParts;
  #signedIn: Promise<Browser> | null = null;
  #token: Promise<string> | null = null;
  #client: Promise<Client> | null = null;
  #mcp: Promise<McpClient> | null = null;
  #connected: Promise<ReadonlyMap<ServiceKey, string>> | null = null;

  constructor(parts: KitParts) {
    this.#parts = parts;
    this.baseUrl = parts.baseUrl;
    this.config = parts.config;
    watchExchanges(parts.baseUrl);
    for (const secret of [parts.config.login?.password, ...Object.values(parts.config.secrets)])
      keepSecret(secret ?? '');
  }

  /** Why this target does not meet a requirement, in a sentence; null if it does. */
  async lack(need: Need): Promise<string | null> {
    const { config, restart, clockHook, emulators } = this.#parts;
    if (need === 'login') return config.login === undefined ? 'the config has no login' : null;
    if (need === 'clock') return clockHook === null ? 'the config has no hooks.clock' : null;
    if (need === 'restart') return restart === null ? 'the config has no hooks.start' : null;
    if (need === 'rest') {
      const isKnown = this.hasExtension || Object.keys(config.routes).length > 0;
      return isKnown ? null : 'the config has neither routes nor the extension portolan';
    }
    if (need === 'limits') return this.hasExtension ? null : 'limits are known of the extension portolan only';
    if (need.startsWith('secret:')) {
      const known = new Map(Object.entries(config.secrets));
      return known.get(need.slice('secret:'.length)) === undefined
        ? `the config has no secrets.${need.slice(7)}`
        : null;
    }
    if (emulators === null) return 'the config has no emulators';
    const service = need.slice('service:'.length) as ServiceKey;
    return (await this.#connections()).get(service) ?? null;
  }

  get hasExtension(): boolean {
    return this.config.extensions.includes('portolan');
  }

  get level(): Level {
    return levelOf(this.config);
  }

  /** Everything that the target keeps in its folder; empty if it has none. */
  async kept(): Promise<Buffer> {
    const { dataDir } = this.#parts;
    if (dataDir === null) throw new Skipped('the config has no hooks.start');
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return Buffer.concat(await Promise.all(files.map((path) => readFile(path))));
  }

  get isStrict(): boolean {
    return this.config.modes.strict === 'on';
  }

  get login(): Login {
    const { login } = this.config;
    if (login === undefined) throw new Skipped('the config has no login');
    return login;
  }

  get emulators(): Emulators {
    const { emulators } = this.#parts;
    if (emulators === null) throw new Skipped('the config has no emulators');
    return emulators;
  }

  emulator(service: ServiceKey): Emulator {
    return this.emulators.of(service);
  }

  /** The secret that the target verifies deliveries of a service with. */
  secret(service: Exclude<ServiceKey, 'vault'>): string {
    const secret = this.config.secrets[service];
    if (secret === undefined) throw new Skipped(`the config has no secrets.${service}`);
    return secret;
  }

  /** Where the target has a route of Portolan’s; skips the check where it is not known. */
  routed(method: string, path: string): Route {
    return demandRoute(this.config, { method, path });
  }

  /** Sends a request without any session. */
  send(asking: Asking): Promise<Answer> {
    return send(this.baseUrl, asking);
  }

  /** Sends a request as a page of a browser does that has no session. */
  get(path: string, headers: Asking['headers'] = { accept: 'text/html' }): Promise<Answer> {
    return this.send({ path, headers });
  }

  browser(): Browser {
    return new Browser(this.baseUrl);
  }

  /** A browser of its own in which somebody has signed in. */
  async signedIn(): Promise<Browser> {
    this.#signedIn ??= this.#signIn();
    return (await this.#signedIn).copy();
  }

  /** An access token for everything, got by the whole flow. */
  async token(): Promise<string> {
    this.#token ??= this.code().then((code) => this.exchanged(code));
    return this.#token;
  }

  /** Sends a request with an access token to where the target has the route; `body` goes as JSON. */
  async api(...[asked, place, body, token]: ApiCall): Promise<Answer> {
    const { method, path } = this.routed(asked, place);
    const authorization = `Bearer ${token ?? (await this.token())}`;
    const accept = 'application/json';
    if (body === undefined) return this.send({ method, path, headers: { authorization, accept } });
    const headers = { authorization, accept, 'content-type': 'application/json' };
    return this.send({ method, path, headers, body: JSON.stringify(body) });
  }

  /** Registers a client, again where the target says how long to wait: it may limit how many register in a minute. */
  async register(metadata: unknown, headers: Asking['headers'] = {}): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.registerOnce(metadata, headers);
      const waitS = Number(answer.header('retry-after'));
      if (answer.status !== 429 || !(waitS > 0 && waitS <= 120) || tries === 5) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
    }
  }

  /** Registers a client, or is refused because too many have. */
  async registerOnce(metadata: unknown, headers: Asking['headers'] = {}): Promise<Answer> {
    const type = { 'content-type': 'application/json' };
    const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
    return this.send({ method: 'POST', path: '/register', headers: { ...type, ...headers }, body });
  }

  /** A client of its own. */
  async newClient(redirectUri = callback, name = 'Contract kit'): Promise<Client> {
    const answer = await this.register({ client_name: name, redirect_uris: [redirectUri] });
    status(answer, 201);
    const client = { id: textAt(answer.json, 'client_id'), secret: textAt(answer.json, 'client_secret'), redirectUri };
    keepSecret(client.secret);
    return this.isStrict ? { ...client, verifier: newVerifier() } : client;
  }

  /** The client that clauses share. */
  async client(): Promise<Client> {
    this.#client ??= this.newClient();
    return this.#client;
  }

  /** A new code of the shared client, or of another; with PKCE when a verifier is given. */
  async code({ client, ...given }: Partial<Pick<Code, 'client' | 'verifier'>> = {}): Promise<Code> {
    const owner = client ?? (await this.client());
    const verifier = given.verifier ?? owner.verifier ?? null;
    const challenge = verifier === null ? {} : { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
    const answer = await this.allow(await this.signedIn(), authorizePath(owner, challenge));
    const code = locationOf(answer).searchParams.get('code');
    holds(code !== null && code !== '', 'the redirect to carry a code', answer.header('location'));
    return { code, client: owner, verifier };
  }

  /** Opens the consent page in a browser that has signed in, and presses Allow Access or Deny. */
  async allow(browser: Browser, path: string, decision: 'allow' | 'deny' = 'allow'): Promise<Answer> {
    const page = await browser.get(path);
    status(page, 200);
    return browser.post('/authorize', decided(page, decision));
  }

  /** Exchanges a code; `fields` replace or, where undefined, leave out those of the code. */
  async exchange(
    { code, client, verifier: own }: Code,
    fields: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Answer> {
    const verifier = own ?? client.verifier ?? null;
    const usual = {
      ...(this.isStrict ? { client_secret: client.secret } : {}),
      grant_type: 'authorization_code',
      code,
      client_id: client.id,
      redirect_uri: client.redirectUri,
      ...(verifier === null ? {} : { code_verifier: verifier }),
    };
    const sent = Object.entries({ ...usual, ...fields }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return this.tokenRequest(form(sent));
  }

  async tokenRequest(body: string, headers: Asking['headers'] = {}): Promise<Answer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send({ method: 'POST', path: '/token', headers: { ...type, ...headers }, body });
  }

  /** The access token for a code. */
  async exchanged(code: Code): Promise<string> {
    const answer = await this.exchange(code);
    status(answer, 200);
    const token = textAt(answer.json, 'access_token');
    keepSecret(token);
    return token;
  }

  /** A client of the MCP route with the shared token. */
  async mcp(): Promise<McpClient> {
    this.#mcp ??= this.token().then((token) => McpClient.open(this.baseUrl, token));
    return this.#mcp;
  }

  /** Runs `act` while the target's clock is `seconds` after `since` (Unix ms), now by default, and sets it right again. */
  async later<Value>(seconds: number, act: () => Promise<Value>, since = Date.now()): Promise<Value> {
    const { clockHook } = this.#parts;
    if (clockHook === null) throw new Skipped('the config has no hooks.clock');
    await setClock(clockHook, since + seconds * 1000);
    try {
      return await act();
    } finally {
      await setClock(clockHook, Date.now());
      // By then the shared sign-in had ended, and the target need not know it any more.
      if (seconds >= signInS) [this.#signedIn, this.#token, this.#mcp] = [null, null, null];
    }
  }

  /** Restarts the target. The kit keeps its tokens and cookies, as a client would. */
  async restart(): Promise<void> {
    const { restart } = this.#parts;
    if (restart === null) throw new Skipped('the config has no hooks.start');
    await restart();
    this.#client = null;
    this.#mcp = null;
  }

  /** What arrives at the emulator of a service while `act` runs. */
  async arriving<Value>(
    service: ServiceKey,
    act: () => Promise<Value>,
  ): Promise<Readonly<{ value: Value; received: readonly Received[] }>> {
    const { received } = this.emulator(service);
    const before = received.length;
    const value = await act();
    return { value, received: received.slice(before) };
  }

  /**
   * Waits until nothing more arrives at a service: nothing has while the target answered so many other requests, so that what was on its way would have
   * come, however slow the machine is.
   */
  async quiet(service: ServiceKey, answers = 100): Promise<true> {
    const { received } = this.emulator(service);
    let count = received.length;
    for (let answered = 0; answered < answers; answered += 1) {
      await this.send({ path: '/set' });
      await new Promise((resolve) => setTimeout(resolve, 25));
      if (received.length !== count) answered = 0;
      count = received.length;
    }
    return true;
  }

  async #signIn(): Promise<Browser> {
    const browser = this.browser();
    const page = await browser.get(authorizePath(await this.client()));
    const answer = await browser.post('/authorize', filledIn(page, this.login));
    holds(browser.cookies.has('user'), 'signing in to set the cookie `user`', `${answer.status} ${answer.text}`);
    return browser;
  }

  #connections(): Promise<ReadonlyMap<ServiceKey, string>> {
    this.#connected ??= connectAll(this);
    return this.#connected;
  }
}

/** The address of an authorization request of a client; an undefined parameter is left out. */
export function authorizePath(client: Client, more: Readonly<Record<string, string | undefined>> = {}): string {
  const { verifier } = client;
  const challenge =
    verifier === undefined ? {} : { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
  const usual = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    state: 'the state',
    response_type: 'code',
    ...challenge,
  };
  const sent = Object.entries({ ...usual, ...more }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `/authorize?${form(sent)}`;
}

/** Where an answer redirects to. */
export function locationOf(answer: Answer): URL {
  const location = answer.header('location');
  holds(
    answer.status >= 300 && answer.status < 400 && URL.canParse(location),
    `${answer.asked} to redirect`,
    `${answer.status} ${location}`,
  );
  return new URL(location);
}

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** A verifier that nobody can guess (RFC 7636 §4.1). */
export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}
