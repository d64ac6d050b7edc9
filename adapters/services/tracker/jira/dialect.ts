import { z } from 'zod';
import type { Dialect, ProviderError } from '#adapters/services/definitions/dialect.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/** The address of the REST interfaces for tokens of OAuth. */
export const apiUrl = 'https://api.atlassian.com';

/**
 * The facts of Jira Cloud's REST interfaces. With OAuth they are below the site's cloud id; a person's API token is used
 * at the site itself. `url` replaces both hosts.
 */
export function jiraDialect(url: string | null): Dialect {
  return {
    name: 'jira',
    baseUrl: ({ authMethod, extra }) => {
      const { cloud_id: cloudId, site } = extra;
      if (authMethod !== 'oauth' && typeof site === 'string') return url ?? `https://${site}`;
      return `${url ?? apiUrl}/ex/jira/${encodeURIComponent(typeof cloudId === 'string' ? cloudId : '')}`;
    },
    trust: () => true,
    credentials,
    headers: {},
    mediaTypes: {},
    readError: ({ status }, body) => errorIn(status, body),
    limitIn: (answer) => (answer.status === 429 ? { retryAfterMs: resetIn(answer) } : null),
    readSuccess: ({ body }) => succeeded(body),
  };
}

/** An API token is sent with its owner's e-mail address: `ann@example.com:token`. */
function credentials({ authMethod, accessToken }: TokenRecord) {
  const basic = () => `Basic ${Buffer.from(accessToken).toString('base64')}`;
  return { headers: { authorization: authMethod === 'oauth' ? `Bearer ${accessToken}` : basic() } };
}

/** The milliseconds until Jira's window is over, which it states as a time; null when it does not. */
function resetIn({ headers }: HttpAnswer): number | null {
  const at = Date.parse(headers['x-ratelimit-reset'] ?? '');
  return Number.isNaN(at) ? null : Math.max(1_000, at - Date.now());
}

const texts = z.array(z.string()).catch([]);
const errorBody = z.looseObject({
  errorMessages: texts.optional(),
  errors: z.record(z.string(), z.unknown()).optional().catch(undefined),
  warningMessages: texts.optional(),
  message: z.string().optional().catch(undefined),
});

/** The tracker's names of the fields that Jira's errors name. */
const inputs: Readonly<Record<string, string>> = {
  summary: 'title',
  duedate: 'dueDate',
  project: 'team',
  status: 'state',
};

/** Reads Jira's errors: messages, and messages by field. */
function errorIn(status: number, body: unknown): ProviderError | null {
  const { data } = errorBody.safeParse(body);
  if (data === undefined) return null;
  const { errorMessages = [], errors = {}, warningMessages = [], message } = data;
  const byField = Object.entries(errors).map(([name, said]) => {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : name;
    return `\`${given}\`: ${typeof said === 'string' ? said : JSON.stringify(said)}`;
  });
  const all = [...errorMessages, ...byField, ...warningMessages, ...(message === undefined ? [] : [message])];
  if (all.length === 0) return null;
  const said = all.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, 1_000);
  // The gateway before Jira answers 401 for tokens without the scope, which a renewal does not mend.
  const isScope = status === 401 && /scope does not match/i.test(said);
  return {
    ...(status === 400 ? { reason: 'invalid_input' } : isScope ? { reason: 'forbidden' } : {}),
    message: isScope
      ? 'The tracker refused: this connection lacks a scope. Connect again, and let an administrator check the app’s permissions.'
      : `The tracker refused: ${said}${/[.!?]$/.test(said) ? '' : '.'}`,
    details: { errorMessages, errors },
  };
}
