import { type Grant, scopeWords } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted, mayChange } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The access that a call needs: to the operation's service, and whether it only reads. */
export type Needed = Readonly<{ service: ServiceKey; isReading: boolean }>;

/**
 * Returns the scope that would allow this call: the token's present scope and what is missing. Null when the token's
 * scope is not what prevents the call, so that another token would not help. `all` are the services of this server, in
 * order.
 */
export function missingScope(user: User, { service, isReading }: Needed, all: readonly ServiceKey[]): string | null {
  const { withheld } = user;
  if (withheld === undefined) return null;
  const isWithheld = withheld.services.includes(service);
  if (!isWithheld && (isReading || mayChange(user, service) || !isPermitted(user, service))) return null;
  const missing: Grant = new Map([[service, isReading ? 'read' : 'full']]);
  const present: Grant = new Map(
    user.permissions.map((key) => [key, mayChange(user, key) ? ('full' as const) : ('read' as const)]),
  );
  return scopeWords(
    new Map(
      all.flatMap((key) => {
        const level = missing.get(key) ?? present.get(key);
        return level === undefined ? [] : [[key, level] as const];
      }),
    ),
  );
}

/**
 * Returns the WWW-Authenticate header for a call beyond the token's scope (RFC 6750 §3.1, RFC 9728 §5.1): `scope` is
 * the scope to request, `metadataUrl` the URL of the protected resource metadata.
 */
export function scopeChallenge(scope: string, metadataUrl: string): string {
  return `Bearer realm="portolan", error="insufficient_scope", scope="${scope}", resource_metadata="${metadataUrl}"`;
}
