import { digestOfJson } from '#domain/changes/change-digest.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/** The members of `extra` that say which account a connection is of; others are limits, or change with a renewal. */
const identifying = ['vendor', 'base_url', 'company_domain', 'portal_id', 'cloud_id', 'data_center'];

/** The members of the answer to a test of credentials that identify its user, and the user's company. */
const answered = ['id', 'accountId', 'user_id', 'company_id', 'portalId'];

/** The account of all connections to the team's vault. */
export const teamAccount = 'team';

/**
 * Identifies the account of a connection: the same over renewals, and another text when its user connected another
 * account. Where nothing identifies the account, a connection by another key, or one made again, is another.
 */
export function accountOf({
  service,
  authMethod,
  accessToken,
  extra,
}: Pick<TokenRecord, 'service' | 'authMethod' | 'accessToken' | 'extra'>): string {
  if (isTeams({ extra })) return teamAccount;
  const known = identifying.map((name) => own(extra, name) ?? null);
  const { account = null } = extra;
  // A key is not renewed.
  const key = account === null && authMethod !== 'oauth' ? accessToken : null;
  return digestOfJson([service, known, account, key]);
}

/**
 * What the answer to a test of credentials says about the account, for `extra.account` of its connection; null when it
 * does not identify one.
 */
export function accountIn(data: unknown): string | null {
  const one: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (!isObject(one)) return null;
  const ids = answered.map((name) => own(one, name) ?? null);
  return ids.every((id) => id === null) ? null : digestOfJson(ids).slice(0, 22);
}
