import { usableScopes } from '#adapters/mcp-client/oauth/discover.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

type Place = Readonly<{ userId: number; service: ServiceKey }>;

/**
 * Notes the scopes that a call lacked, by the challenge that it was answered with (RFC 6750 §3.1), so that connecting
 * again asks for them. Nothing is noted for a challenge that says something else.
 */
export async function noteLackedScopes(
  connections: Pick<Connections, 'reload' | 'replace'>,
  { userId, service }: Place,
  challenge: string,
): Promise<void> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/sdk/client/auth.js');
  const headers = { 'www-authenticate': challenge };
  const { error, scope = '' } = extractWWWAuthenticateParams(new Response(null, { headers }));
  const wanted = usableScopes(scope.split(/\s+/)).filter((one) => one !== '');
  if (error !== 'insufficient_scope' || wanted.length === 0) return;
  const record = (await connections.reload(userId, service))?.record;
  if (record?.authMethod !== 'oauth' || isDeepEqual(record.extra['wanted_scopes'], wanted)) return;
  await connections.replace(record, { ...record, extra: { ...record.extra, wanted_scopes: wanted } });
}

const isDeepEqual = (one: unknown, other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);
