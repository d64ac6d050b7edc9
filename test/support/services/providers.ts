import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import { operationsOf } from '#adapters/services/definitions/vendor-operations.ts';
import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import { signingRecipes, type Waiting } from '#adapters/services/signing/recipes.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import { obsidianOperations } from '#adapters/services/vault/obsidian/operations.ts';
import { operations as vaultOperations } from '#adapters/services/vault/operations.ts';
import { vault } from '#adapters/services/vault/service.ts';
import type { Weeks } from '#domain/notes/week-of-year.ts';

/** What tests set of a service; null is not set. */
type Given<Dialect> = Readonly<{
  dialect: Dialect;
  url?: string | null;
  authorizeUrl?: string | null;
  tokenUrl?: string | null;
}>;

/** The service as the gateway speaks to it, by what is set. */
function providerOf<Dialect extends string>(
  service: Service<Dialect>,
  { dialect, url, authorizeUrl, tokenUrl }: Given<Dialect>,
): Provider {
  const named = (name: string, value: string | null | undefined) => ({ [`${service.prefix}${name}`]: value ?? '' });
  const env = {
    ...named('DIALECT', dialect),
    ...named('URL', url),
    ...named('AUTHORIZE_URL', authorizeUrl),
    ...named('TOKEN_URL', tokenUrl),
  };
  return service.configure(env).provider();
}

type DialectOf<Defined> = Defined extends Service<infer Dialect> ? Dialect : never;

export const salesCrmProvider = (given: Given<DialectOf<typeof salesCrm>>) => providerOf(salesCrm, given);
export const suiteCrmProvider = (given: Given<DialectOf<typeof suiteCrm>>) => providerOf(suiteCrm, given);
export const trackerProvider = (given: Given<DialectOf<typeof tracker>>) => providerOf(tracker, given);

/** `waiting` is how its recipes pause. */
export const signingProvider = (given: Given<DialectOf<typeof signing>>, waiting?: Waiting): Provider => {
  const provider = providerOf(signing, given);
  const { operations } = provider;
  return waiting === undefined ? provider : { ...provider, operations: { ...operations, ...signingRecipes(waiting) } };
};

/** How a test speaks to the vault: `now` gives Unix ms, `weeks` says how weeks are counted. */
export type VaultOptions = Readonly<{ timeoutMs?: number; now?: () => number; weeks?: Weeks }>;

export const vaultProvider = (
  dialect: DialectOf<typeof vault>,
  { timeoutMs, now = Date.now, weeks = 'sunday' }: VaultOptions = {},
): Provider => {
  const provider = providerOf(vault, { dialect });
  return {
    ...provider,
    ...(dialect === 'obsidian' ? { operations: withObsidian(now, weeks) } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
};

const withObsidian = (now: () => number, weeks: Weeks) =>
  operationsOf(vaultOperations, {
    name: 'obsidian',
    title: 'Obsidian',
    called: 'The Vault (Obsidian) behind this server',
    requests: {},
    lacksInputs: {},
    stated: {
      ...obsidianOperations(now, weeks),
      'system.certificate': { path: '/obsidian-local-rest-api.crt' },
    },
    otherwise: 'neutral',
  });
