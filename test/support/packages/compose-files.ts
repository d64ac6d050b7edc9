import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readSettings, type Settings } from '#bootstrap/config/settings.ts';

/** What every container of the Compose files is limited to. An image is ours, or pinned by version and digest. */
export const hardened = z.object({
  image: z
    .string()
    .regex(/^\$\{[A-Z]+_IMAGE:-(?:portolan:\d+\.\d+\.\d+|[a-z]+:\d+\.[\d.]+(?:-[a-z]+)?@sha256:[0-9a-f]{64})\}$/),
  restart: z.literal('unless-stopped'),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  pids_limit: z.number().max(1_000),
  mem_limit: z.string().regex(/^\d+[mg]$/),
  tmpfs: z.array(z.string()),
  logging: z.strictObject({
    driver: z.literal('json-file'),
    options: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
});

/** The secrets that the script makes for the Compose files: their folder's parent, and their names. */
export type MadeSecrets = Readonly<{ path: string; names: readonly string[]; remove(): void }>;

/** Runs the script in an empty folder. */
export function madeSecrets(): MadeSecrets {
  const path = mkdtempSync(join(tmpdir(), 'portolan-compose-'));
  execFileSync('sh', [resolve('docs/compose/make-secrets.sh')], { cwd: path });
  return {
    path,
    names: readdirSync(join(path, 'secrets')).toSorted(),
    remove: () => rmSync(path, { recursive: true }),
  };
}

/** The settings that a server has with the environment of a Compose file, and the secrets of a folder. */
export function settingsWith(env: Readonly<Record<string, string>>, path: string): Settings {
  const placed = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\/run\/secrets\//, `${path}/secrets/`),
  ]);
  return readSettings(Object.fromEntries(placed));
}
