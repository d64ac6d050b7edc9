import { z } from 'zod';
import type { Dialect, GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import { locationIn } from '#adapters/services/vault/details/changed-note.ts';
import { explainError, readError } from '#adapters/services/vault/errors.ts';
import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

/** Caches the parsed `extra` of connections, which each call reads several times. */
const read = new WeakMap<object, z.infer<typeof vaultExtra>>();

function extraOf({ extra }: TokenRecord): z.infer<typeof vaultExtra> {
  const known = read.get(extra) ?? vaultExtra.parse(extra);
  read.set(extra, known);
  return known;
}

/** A note as JSON, or a document map, as releases with versions answer them. */
const versioned = z.object({ version: z.string().min(1).max(100) });

/** What all vaults have in common. */
export const shared = {
  baseUrl: (record: TokenRecord) => withoutEnd(extraOf(record).base_url, '/'),
  givenAddress: (record: TokenRecord) =>
    record.extra['from_settings'] === true || isTeams(record) ? null : String(record.extra['base_url']),
  trust: (record: TokenRecord) => {
    const { verify_ssl, certificate } = extraOf(record);
    return verify_ssl ? (certificate ?? true) : false;
  },
  credentials: (record: TokenRecord) => ({ headers: { authorization: `Bearer ${record.accessToken}` } }),
  headers: { 'markdown-patch-version': '1' },
  readError,
  explainError,
  readSuccess: ({ body }: GoodAnswer) => succeeded(body),
  revisionIn: ({ headers }: HttpAnswer, data: unknown) =>
    /^"([^"]+)"$/.exec(headers['etag'] ?? '')?.[1] ?? versioned.safeParse(data).data?.version,
  pathIn: ({ headers }: HttpAnswer) => locationIn(headers) ?? undefined,
} as const;

/** The neutral dialect of the vault. */
export const dialect: Dialect = {
  ...shared,
  name: 'neutral',
  mediaTypes: {
    markdown: 'text/markdown',
    note: 'application/vnd.vault.note+json',
    document_map: 'application/vnd.vault.document-map+json',
    dql: 'application/vnd.vault.dql+txt',
    jsonlogic: 'application/vnd.vault.jsonlogic+json',
  },
};
