import type { ServerFacts } from '#application/ports/server-facts.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The name of the fact that stores the fingerprint of the database's secret. */
const secretFact = 'secret_fingerprint';

/**
 * Rejects a server whose secret is not the database's: it could decrypt neither the sessions nor the stored values of
 * other servers. The first server's secret becomes the database's. Either of `secrets`, the current or the former, may
 * match, so that servers can be restarted one by one during a key rotation (SET-023). Throws `StartError`.
 */
export async function refuseOtherSecret(facts: ServerFacts, secrets: readonly string[]): Promise<void> {
  const [own = ''] = secrets.map(fingerprintOf);
  const kept = await facts.keepFirst(secretFact, own);
  if (secrets.some((secret) => fingerprintOf(secret) === kept)) return;
  throw new StartError(
    `SECRET_KEY_BASE: this is not the secret of this database; start with the database's secret, or set SECRET_KEY_BASE_PREVIOUS to it and run "${commandLine('keys')} rotate" ("rotate --force" if it is lost).`,
  );
}

/** Makes this secret the database's: servers that do not know it are rejected from then on. */
export async function takeSecret(facts: ServerFacts, secret: string): Promise<void> {
  await facts.replace(secretFact, fingerprintOf(secret));
}

/** Returns a fingerprint of a secret, which does not reveal it. */
function fingerprintOf(secret: string): string {
  return Buffer.from(deriveKey(secret, 'fingerprint')).toString('base64url');
}
