import { z } from 'zod';

/** The path of the manifest in a backup. */
export const manifestPath = 'backup.json';
/** The paths in a backup, by content. */
export const backupPaths = {
  rows: 'database/',
  notes: 'vault/',
  templates: 'templates/',
  key: 'secret_key_base',
} as const;

/** Returns the path of a table's rows, stored as newline-delimited JSON. */
export const rowsPath = (table: string): string => `${backupPaths.rows}${table}.ndjson`;

/** JSON text, parsed. */
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no JSON' });
    return z.NEVER;
  }
});

/** The manifest of a backup. */
export const manifestSchema = z.strictObject({
  /** The version of the format; others are rejected. */
  format: z.literal(1),
  /** The version of Portolan that wrote the backup. */
  version: z.string().max(64),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
  /** The fingerprint of the key that encrypts the stored secrets. */
  keyId: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.string().regex(/^\w+$/)),
  lastIds: z.record(z.string(), z.number().int().nonnegative()),
  entries: z.array(z.object({ path: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string() })),
});

/** See `manifestSchema`. */
export type Manifest = z.output<typeof manifestSchema>;
