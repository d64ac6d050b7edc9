import type { Connections } from '#application/ports/connections.ts';
import type { Connection } from '#domain/connections/connection.ts';
import { troubleOf } from '#domain/connections/connection-status.ts';
import { isShared, type TokenRecord, vendorNameOf } from '#domain/tokens/token-record.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/**
 * Lists a user's connections for display at `now` (Unix ms), ordered by service key and without tokens. The team's
 * vault is included for users with the permission.
 */
export async function listConnections(
  connections: Pick<Connections, 'list'>,
  user: User,
  now: number,
): Promise<readonly Connection[]> {
  const all = await connections.list(user.id);
  const shown = all.filter(({ record }) => !isShared(record) || isPermitted(user, record.service));
  return shown.map(({ record, status }) => {
    const { service, authMethod, scope, expiresAt } = record;
    const { state, since, rejections } = status;
    const reason = troubleOf(status, now) ?? status.reason;
    const certificateSha256 = fingerprintIn(record);
    const retryAt = rejections?.probeAt ?? null;
    const shared = isShared(record);
    const vendor = vendorNameOf(record);
    const about = { reason, retryAt, isTeams: shared, certificateSha256, vendor };
    return { service, authMethod, scope, expiresAt, state, since, ...about };
  });
}

/**
 * Returns the fingerprint of the certificate that a vault's connection trusts, whether pinned at first use or given by
 * the user; null for any other connection.
 */
function fingerprintIn({ service, extra }: TokenRecord): string | null {
  const { certificate, certificate_sha256: sha256, verify_ssl: verifies } = extra;
  const isPinned = service === 'vault' && verifies !== false && typeof certificate === 'string';
  return isPinned && typeof sha256 === 'string' ? sha256 : null;
}
