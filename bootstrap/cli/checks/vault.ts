import { z } from 'zod';
import type { KeptVault } from '#bootstrap/cli/checks/database.ts';
import { type Finding, good, look, wrong } from '#bootstrap/cli/checks/finding.ts';
import type { Settings } from '#bootstrap/settings.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

const statusSchema = z.looseObject({
  authenticated: z.boolean(),
  service: z.string().optional(),
  versions: z.looseObject({ self: z.string().optional(), vault: z.string().optional() }).optional(),
});

/** Whether the automation user's vault answers and takes the key; `kept` is the connection in the database. */
export async function checkVault(settings: Settings, kept: KeptVault | null, isRunning: boolean): Promise<Finding> {
  const { VAULT_URL, VAULT_API_KEY, VAULT_VERIFY_TLS } = settings;
  const fromSettings =
    VAULT_URL === undefined
      ? null
      : { baseUrl: VAULT_URL, verifySsl: VAULT_VERIFY_TLS ?? true, key: VAULT_API_KEY ?? '', isEmbedded: false };
  // One that the user has made by hand is left alone by the settings; the embedded one gives way to them.
  const vault = fromSettings !== null && (kept === null || kept.isEmbedded) ? fromSettings : kept;
  if (vault === null || (vault.isEmbedded && !isRunning)) {
    return VAULT_URL === undefined
      ? good('Vault: the embedded one, which runs with the server')
      : wrong('Vault: no connection', 'set VAULT_API_KEY');
  }
  if (vault.key === '') return wrong(`Vault: no key for ${vault.baseUrl}`, 'set VAULT_API_KEY');
  return askVault(vault);
}

async function askVault({ baseUrl, verifySsl, key, isEmbedded }: KeptVault): Promise<Finding> {
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
  const name = isEmbedded ? 'Vault: the embedded one' : `Vault: ${baseUrl}`;
  if (answer.kind === 'fault') return wrong(`${name} cannot be reached. ${answer.message}`, faultAdvice(baseUrl));
  const status = statusSchema.safeParse(parsed(answer.body)).data;
  if (status === undefined) return wrong(`${name} answers ${answer.status}, and not as a vault`, 'check VAULT_URL');
  if (!status.authenticated)
    return wrong(`${name} refuses the key`, 'copy the key from the notes app to VAULT_API_KEY');
  const version = status.versions?.self;
  const told = `${name} answers and takes the key${version === undefined ? '' : ` (version ${version})`}`;
  return verifySsl
    ? good(told)
    : look(told, 'its certificate is not checked: VAULT_VERIFY_TLS=on, once it has a good one');
}

function faultAdvice(baseUrl: string): string {
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
