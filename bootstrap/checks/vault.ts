import { z } from 'zod';
import type { KeptVault } from '#bootstrap/checks/database.ts';
import { type Finding, good, look, wrong } from '#bootstrap/checks/finding.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { codeOf } from '#bootstrap/start/first-start.ts';
import { matchFolder, readMarker } from '#bootstrap/vault/vault-folder.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

const statusSchema = z.looseObject({
  authenticated: z.boolean(),
  service: z.string().optional(),
  versions: z.looseObject({ self: z.string().optional(), vault: z.string().optional() }).optional(),
});

/**
 * Checks whether the automation user's vault responds and accepts the key, or, when they use the team's vault, whether
 * its folder is the one that the database knows as `folderId`. `kept` is the connection in the database.
 */
export async function checkVault(
  settings: Settings,
  { kept, folderId }: Readonly<{ kept: KeptVault | null; folderId: string | null }>,
): Promise<Finding> {
  if (kept?.isOwn === true) return askVault(kept);
  const { VAULT_URL: baseUrl, VAULT_API_KEY: key = '', VAULT_VERIFY_TLS: verifySsl = true } = settings;
  if (baseUrl === undefined) return checkFolder(settings, folderId);
  if (key === '') return wrong(`Vault: no key for ${baseUrl}`, 'set VAULT_API_KEY');
  return askVault({ baseUrl, verifySsl, key });
}

async function checkFolder({ vaultDir }: Settings, folderId: string | null): Promise<Finding> {
  const marker = await readMarker(vaultDir).catch((error: unknown) => codeOf(error));
  const match = matchFolder(folderId, marker);
  if (match === 'same') return good(`Vault: the team’s, in ${vaultDir}`);
  if (match === 'unclaimed') return good(`Vault: the team’s, in ${vaultDir} from the next start`);
  return wrong(`Vault: ${vaultDir} is not the notes folder of this database`, 'set VAULT_DIR to that folder');
}

async function askVault({ baseUrl, verifySsl, key }: Omit<KeptVault, 'isOwn'>): Promise<Finding> {
  const client = new HttpClient();
  const answer = await client.send({
    method: 'GET',
    url: `${baseUrl.replace(/\/+$/, '')}/`,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    timeoutMs: 10_000,
    maxBytes: 1_000_000,
    trust: verifySsl,
  });
  client.close();
  const name = `Vault: ${baseUrl}`;
  if (answer.kind === 'error') return wrong(`${name} cannot be reached. ${answer.message}`, errorAdvice(baseUrl));
  const status = statusSchema.safeParse(parsed(answer.body)).data;
  if (status === undefined) return wrong(`${name} answers ${answer.status}, not like a vault`, 'check VAULT_URL');
  if (!status.authenticated)
    return wrong(`${name} refuses the key`, 'copy the key from the notes app to VAULT_API_KEY');
  const version = status.versions?.self;
  const what = `${name} answers and accepts the key${version === undefined ? '' : ` (version ${version})`}`;
  return verifySsl
    ? good(what)
    : look(what, 'its certificate is not verified: set VAULT_VERIFY_TLS=on once it has a valid one');
}

function errorAdvice(baseUrl: string): string {
  return baseUrl.startsWith('https:')
    ? 'start the notes app; for a self-signed certificate set VAULT_VERIFY_TLS=off'
    : 'start the notes app, and check VAULT_URL';
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return null;
  }
}
