import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { GrantSource } from '#adapters/services/credentials/provider-grants.ts';
import { askForTokens, bodyOf } from '#adapters/services/credentials/token-request.ts';
import { authorizationErrorIn, quotedError } from '#domain/connections/authorization-error.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** Whether a provider accepts the app's id and secret; `unsure` when its answer does not tell. */
export type AppCheck = Readonly<{ known: 'yes' | 'no' | 'unsure'; message: string }>;

const refusal = z.object({ error: z.string() });

/** The errors that providers return for an unknown client or a wrong secret (RFC 6749 §5.2, and Zoho's own). */
const clientErrors: readonly string[] = ['invalid_client', 'invalid_client_secret', 'unauthorized_client'];

/**
 * Checks an app by requesting tokens with a random code. A provider that rejects the code knows the app; one that
 * rejects the client does not. Has no side effects at the provider.
 */
export async function checkApp(
  { name, facts, app }: GrantSource,
  http: Pick<HttpClient, 'send'>,
  redirectUri: string,
): Promise<AppCheck> {
  const tokenUrl = facts.tokenUrl({});
  if (app === null || tokenUrl === null) {
    return { known: 'unsure', message: `The ${name} cannot be asked about the app: it is not set up` };
  }
  const code = randomBytes(24).toString('base64url');
  const fields = facts.exchangeFields({ app, code, redirectUri, extra: {}, callback: { code } });
  const verifier = facts.hasPkce ? { code_verifier: randomBytes(32).toString('base64url') } : {};
  const answer = await askForTokens(http, { facts, app, tokenUrl, fields: { ...fields, ...verifier } });
  if (answer.kind === 'error') {
    return { known: 'unsure', message: `The ${name} could not be asked about the app. ${answer.message}` };
  }
  const body = bodyOf(answer);
  const { error = '' } = refusal.safeParse(body).data ?? {};
  if (clientErrors.includes(error)) {
    return { known: 'no', message: `The ${name} does not know the app, or not with this secret` };
  }
  if (facts.isRefused(answer.status, body, null)) return { known: 'yes', message: `The ${name} knows the app` };
  const said = quotedError(authorizationErrorIn(body, [app.clientSecret, code]));
  const message = `The ${name} did not say whether it knows the app: it answered ${answer.status}.${said}`;
  return { known: 'unsure', message };
}
