import { digestOfJson } from '#domain/changes/change-digest.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * Identifies the account of a connection: the same for all of its tokens, and another text when its user connected
 * another account.
 */
export function accountOf(record: Pick<TokenRecord, 'service' | 'authMethod' | 'extra'>): string {
  return isTeams(record) ? 'team' : digestOfJson([record.service, record.authMethod, record.extra]);
}
