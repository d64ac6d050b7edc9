import { scopeWords } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** What is called: an operation's service, and whether it only reads. */
export type Needed = Readonly<{ service: ServiceKey; isReading: boolean }>;

/**
 * The scope with which a user's app could do this: what its token has, and what is missing. Null when the token withholds
 * nothing that is needed: another token would help no more. `all` are the services of this server, in their order.
 */
export function missingScope(user: User, { service, isReading }: Needed, all: readonly ServiceKey[]): string | null {
  const { withheld } = user;
  if (withheld === undefined) return null;
  const isWithheld = withheld.services.includes(service);
  if (!isWithheld && (isReading || !withheld.changes || !isPermitted(user, service))) return null;
  const services = all.filter((key) => key === service || isPermitted(user, key));
  return scopeWords({ services, isReadonly: isReading && withheld.changes });
}

/**
 * The header WWW-Authenticate of a call that a token's scope does not reach (RFC 6750 §3.1, RFC 9728 §5.1): `scope` is what
 * to ask for, `metadataUrl` the address of the resource's metadata.
 */
export function scopeChallenge(scope: string, metadataUrl: string): string {
  return `Bearer realm="portolan", error="insufficient_scope", scope="${scope}", resource_metadata="${metadataUrl}"`;
}
