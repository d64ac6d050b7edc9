import { hash } from 'node:crypto';
import type { ConditionFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The entity tags of a condition: `any` for `*`; null when the header was not sent. */
type Tags = 'any' | readonly Readonly<{ tag: string; isWeak: boolean }>[] | null;

/** The version of a file's content: a truncated hash of its bytes, which in quotes is the ETag. */
export const versionOf = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex').slice(0, 16);

/** The version as an ETag header value. */
export const entityTag = (bytes: Uint8Array): string => `"${versionOf(bytes)}"`;

/** The headers of a conditional request; also how a conditional write is asked for without HTTP. */
export type ConditionHeaders = Readonly<{ match: string | undefined; noneMatch: string | undefined }>;

/** Checks the current content of a file (null: there is none) before it is changed. */
export type Condition = (current: Uint8Array | null) => Result<void, ConditionFailure>;

/**
 * Builds the check of `If-Match` and `If-None-Match` (RFC 9110 §13.1); null when neither is given. Newer releases of the
 * real server support both; older ones ignore them.
 */
export function conditionOf(headers: ConditionHeaders): Condition | null {
  if (headers.match === undefined && headers.noneMatch === undefined) return null;
  const match = readTags(headers.match);
  const noneMatch = readTags(headers.noneMatch);
  return (current) => {
    if (match === undefined || noneMatch === undefined) {
      return err({
        reason: 'condition_unreadable',
        detail: 'If-Match and If-None-Match are * or a list of quoted tags.',
      });
    }
    const version = current === null ? null : versionOf(current);
    const isAsMatched =
      match === null ||
      (version !== null && (match === 'any' || match.some(({ tag, isWeak }) => !isWeak && tag === version)));
    if (!isAsMatched) return failedAt('If-Match', version);
    const isOther =
      noneMatch === null || version === null || (noneMatch !== 'any' && noneMatch.every(({ tag }) => tag !== version));
    return isOther ? ok(undefined) : failedAt('If-None-Match', version);
  };
}

/** Whether the reader already has this version (`If-None-Match` on GET), which is answered with 304. */
export function isKnown(noneMatch: string | undefined, bytes: Uint8Array): boolean {
  const tags = readTags(noneMatch);
  if (tags === undefined || tags === null) return false;
  return tags === 'any' || tags.some(({ tag }) => tag === versionOf(bytes));
}

function failedAt(header: string, version: string | null): Result<void, ConditionFailure> {
  const now = version === null ? 'There is no file.' : `The file is at version "${version}".`;
  return err({ reason: 'condition_failed', detail: `${header} does not hold. ${now}` });
}

/**
 * Parses entity tags: null when the header was not sent, undefined when it is malformed. Unquoted tags are accepted, as
 * the real server accepts them.
 */
function readTags(value: string | undefined): Tags | undefined {
  if (value === undefined) return null;
  if (value.trim() === '*') return 'any';
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const tags = parts.map((part) => /^(W\/(?="))?(?:"([^"]*)"|([^"*\s]+))$/.exec(part));
  if (parts.length === 0 || tags.some((tag) => tag === null || tag[3]?.startsWith('W/') === true)) return undefined;
  return tags.map((tag) => ({ tag: tag?.[2] ?? tag?.[3] ?? '', isWeak: tag?.[1] !== undefined }));
}
