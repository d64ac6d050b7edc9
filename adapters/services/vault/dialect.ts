import { z } from 'zod';
import type { Dialect, GoodAnswer, ProviderError } from '#adapters/services/dialect.ts';
import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { explainFault } from '#adapters/services/vault/faults.ts';
import { type FailureReason, succeeded } from '#domain/operations/outcome.ts';
import { withoutEnd } from '#domain/shared/without-end.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-client.ts';

const errorBody = z.object({ message: z.string(), errorCode: z.number().optional() });

function extraOf(record: TokenRecord) {
  return vaultExtra.parse(record.extra);
}

const reasonOfCode: Readonly<Record<number, FailureReason>> = {
  40101: 'unauthorized',
  40510: 'invalid_input',
  41200: 'conflict',
};

function readError(answer: HttpAnswer, body: unknown): ProviderError | null {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return null;
  const { message, errorCode } = parsed.data;
  const reason = reasonOfCode[errorCode ?? answer.status * 100];
  return {
    message: `The vault refused: ${message.replaceAll('\n', ' ')}`,
    details: { errorCode },
    ...(reason === undefined ? {} : { reason }),
  };
}

const shared = {
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
  explainFault,
  readSuccess: ({ body }: GoodAnswer) => succeeded(body),
} as const;

/** The contract's words for the vault, and the words of the notes app whose plugin it is. */
export const vaultDialects: Readonly<Record<'neutral' | 'obsidian', Dialect>> = {
  neutral: {
    ...shared,
    name: 'neutral',
    isOwn: false,
    mediaTypes: {
      markdown: 'text/markdown',
      note: 'application/vnd.vault.note+json',
      document_map: 'application/vnd.vault.document-map+json',
      dql: 'application/vnd.vault.dql+txt',
      jsonlogic: 'application/vnd.vault.jsonlogic+json',
    },
  },
  obsidian: {
    ...shared,
    name: 'obsidian',
    isOwn: true,
    mediaTypes: {
      markdown: 'text/markdown',
      note: 'application/vnd.olrapi.note+json',
      document_map: 'application/vnd.olrapi.document-map+json',
      patch_instruction: 'application/vnd.olrapi.patch-instruction+json',
      dql: 'application/vnd.olrapi.dataview.dql+txt',
      jsonlogic: 'application/vnd.olrapi.jsonlogic+json',
    },
  },
};
