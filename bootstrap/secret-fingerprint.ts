import type { ServerFacts } from '#application/ports/server-facts.ts';
import { StartError } from '#bootstrap/first-start.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { commandLine } from '#infrastructure/program/command-line.ts';

/** The name of the fact that holds the fingerprint of the secret that the database belongs to. */
const secretFact = 'secret_fingerprint';

/**
 * Refuses a server whose secret is not the database's: others could open neither its sessions nor what it stores. The
 * first server's secret becomes the database's. One of `secrets`, the current or the former, has to be it: while the secret
 * is changed, servers with either as their current one run beside each other (SET-023). Throws `StartError`.
 */
export async function refuseOtherSecret(facts: ServerFacts, secrets: readonly string[]): Promise<void> {
  const [own = ''] = secrets.map(fingerprintOf);
  const kept = await facts.keepFirst(secretFact, own);
  if (secrets.some((secret) => fingerprintOf(secret) === kept)) return;
  throw new StartError(
    `SECRET_KEY_BASE: the secret is not the one of this database; start with that one, or set SECRET_KEY_BASE_PREVIOUS to it and run "${commandLine('keys')} rotate" ("rotate --force" when it is lost).`,
  );
}

/** Makes this secret the database's: servers that do not know it are refused from now on. */
export async function takeSecret(facts: ServerFacts, secret: string): Promise<void> {
  await facts.replace(secretFact, fingerprintOf(secret));
}

/** A text that tells secrets apart and says nothing of them. */
function fingerprintOf(secret: string): string {
  return Buffer.from(deriveKey(secret, 'fingerprint')).toString('base64url');
}
