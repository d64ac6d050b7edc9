import { z } from 'zod';
import type { FetchTrouble, JudgedFetch } from '#adapters/mcp-client/oauth/judged-fetch.ts';
import type { GrantFailure } from '#application/ports/provider-grants.ts';
import { authorizationErrorIn, quotedError } from '#domain/connections/authorization-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, type Result } from '#domain/shared/result.ts';

/** The failure of a grant that asking again does not mend. */
export const refusedGrant = (message: string) => ({ reason: 'refused', message }) as const;

/** Runs a step of a flow; what the SDK throws becomes a failure, from what the `fetch` noted. */
export async function attempted<Value>(
  name: string,
  judged: JudgedFetch,
  run: () => Promise<Result<Value, GrantFailure>>,
  secrets: readonly string[] = [],
): Promise<Result<Value, GrantFailure>> {
  try {
    return await run();
  } catch (error) {
    const trouble = judged.trouble();
    if (trouble !== null) return err(failureOf(name, trouble, secrets));
    // The SDK's own message may quote an answer.
    const what = error instanceof z.ZodError ? 'an answer that is not what the standard says' : 'no usable answer';
    return err({ reason: 'unavailable', message: `The ${name} gave ${what} when it was asked for access.` });
  }
}

/** Codes of errors that asking again does not mend (RFC 6749 §5.2, RFC 8707 §2). */
const finalCodes = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_target', 'access_denied'];

function failureOf(name: string, trouble: FetchTrouble, secrets: readonly string[]): GrantFailure {
  if (trouble.kind !== 'answered') {
    const reason = trouble.kind === 'refused' ? 'refused' : 'unavailable';
    return { reason, message: `The ${name} gave no access. ${trouble.message}` };
  }
  const error = authorizationErrorIn(trouble.body, secrets);
  const isFinal = trouble.status < 500 && error !== null && finalCodes.includes(error.code);
  const message = `The ${name} gave no access. ${trouble.message}${quotedError(error)}`;
  const wait = trouble.retryAfterMs === null ? {} : { retryAfterMs: trouble.retryAfterMs };
  return isFinal ? refusedGrant(message) : { reason: 'unavailable', message, ...wait };
}

/** The failure where this server has no client at an authorization server that it may use. */
export function noClient(
  name: string,
  service: ServiceKey,
  { redirectUri, issuer, why }: Readonly<{ redirectUri: string; issuer: string; why: 'none' | 'elsewhere' }>,
): GrantFailure {
  const page = `/setup/servers/${service}`;
  const message =
    why === 'elsewhere'
      ? `The ${name} names another authorization server than the one that its client id was entered for. An administrator enters it again on the page ${page}, if ${issuer} is right.`
      : `The ${name} does not let this server register itself. An administrator registers it at ${issuer} with the redirect address ${redirectUri}, and enters its client id on the page ${page}.`;
  return { reason: 'not_configured', message };
}
