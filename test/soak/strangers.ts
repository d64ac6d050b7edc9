import type { Stand } from '#test/faults/stand.ts';
import { callback, register } from '#test/support/authorization/auth-flow.ts';

/** As many clients as a server keeps in memory at most. */
const mostClients = 10_000;

/** Registers as many clients as a server keeps, so that what it takes does not rise only because there are ever more of them. */
export async function registerClients({ baseUrl: origin }: Stand): Promise<void> {
  let registered = 0;
  const registerSome = async () => {
    while (registered < mostClients) {
      registered += 1;
      const answer = await register(
        { origin },
        { redirect_uris: [callback], client_name: `Nobody before ${registered}` },
      );
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 20 }, registerSome));
}

/**
 * What nobody in particular does all day: registers a client, begins a sign-in and fails it, takes the cookie of the guest, guesses codes
 * and addresses. Nothing of it may succeed but what is for everybody.
 */
export async function beStranger({ baseUrl: origin }: Stand, turn: number): Promise<void> {
  const client = await register({ origin }, { redirect_uris: [callback], client_name: `Nobody ${turn}` });
  const text = await client.text();
  const clientId = /"client_id":"([^"]+)"/.exec(text)?.[1] ?? 'none';
  const form = (fields: Readonly<Record<string, string>>) => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual' as const,
  });
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: String(turn),
  });
  for (const [path, request, isExpected] of [
    [`/authorize?${query.toString()}`, {}, (status: number) => status === 200],
    ['/set', {}, (status: number) => status === 200],
    [`/login`, form({ email: `nobody${turn}@example.com`, password: 'guess' }), (status: number) => status >= 400],
    [
      '/token',
      form({ grant_type: 'authorization_code', code: `c${turn}`, client_id: clientId }),
      (status: number) => status >= 400,
    ],
    [`/nothing/${turn}`, {}, (status: number) => status === 401],
  ] as const) {
    const response = await fetch(`${origin}${path}`, request);
    await response.arrayBuffer();
    const { status } = response;
    if (status !== 429 && (status >= 500 || !isExpected(status)))
      throw new Error(`A stranger’s ${path.split('?')[0]}: ${status}`);
  }
}
