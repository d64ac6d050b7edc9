import { raw } from '@mikro-orm/core';
import type { InboxState } from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';
import { given } from '#infrastructure/database/table.ts';

/** Most entries are in these states, and those of a service among them are soon found by the service. */
const commonStates: readonly InboxState[] = ['done', 'ignored'];

/** The filter that an index is to be used for. */
export function indexedFilter(state: InboxState | undefined, service: ServiceKey | undefined) {
  if (state === undefined || service === undefined) return given({ state, service });
  return commonStates.includes(state) ? { service } : { state };
}

/** The other filter of the two, in a form for which there is no index: SQLite would choose one by chance. */
export function otherFilter(state: InboxState, service: ServiceKey) {
  return commonStates.includes(state) ? raw("state || '' = ?", [state]) : raw("service || '' = ?", [service]);
}

/** The columns that are searched for a text, by their names. */
export const searchedColumns = ['event', 'deliveryId', 'orderKey', 'outcome'] as const;
/** The same as SQL. */
const searched = ['event', 'delivery_id', 'order_key', "coalesce(outcome, '')"];

/**
 * Matches a text anywhere in the searched columns, whatever the case of its letters. Escapes LIKE wildcards; SQLite's LIKE
 * ignores case, PostgreSQL lower-cases both sides. SQLite, and PostgreSQL in the locale C, fold ASCII only: with other letters the text is matched
 * by a pattern with both cases of each.
 */
export function textFilter(text: string, kind: DatabaseKind) {
  if (/[^\p{ASCII}]/u.test(text)) {
    const isSqlite = kind === 'sqlite';
    const signs = Array.from(text, (sign) => eitherCase(sign, isSqlite ? globQuoted : expressionQuoted)).join('');
    const [operator, pattern] = isSqlite ? ['glob', `*${signs}*`] : ['~', signs];
    return raw(
      searched.map((column) => `${column} ${operator} ?`).join(' or '),
      searched.map(() => pattern),
    );
  }
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const like = (column: string): string =>
    kind === 'sqlite' ? `${column} like ? escape '\\'` : `lower(${column}) like lower(?) escape '\\'`;
  const sql = searched.map(like).join(' or ');
  return raw(
    sql,
    searched.map(() => pattern),
  );
}

/** A character in both of its cases as a part of a pattern; what has a meaning in patterns is quoted. */
function eitherCase(sign: string, quoted: (sign: string) => string): string {
  const cases = [sign, sign.toLowerCase(), sign.toUpperCase()].filter((one) => one.length === sign.length);
  const all = [...new Set(cases)].join('');
  return all.length > sign.length ? `[${all}]` : quoted(sign);
}

const globQuoted = (sign: string): string => ('*?['.includes(sign) ? `[${sign}]` : sign);
const expressionQuoted = (sign: string): string => (/[\\^$.*+?()[\]{}|]/.test(sign) ? `\\${sign}` : sign);
