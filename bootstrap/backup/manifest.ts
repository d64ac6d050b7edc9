import { z } from 'zod';

/** The entry that tells what is in a backup. */
export const manifestPath = 'backup.json';
/** The folders and files of a backup, by what they hold. */
export const backupPaths = {
  rows: 'database/',
  notes: 'vault/',
  templates: 'templates/',
  key: 'secret_key_base',
} as const;

/** The entry of a table's rows: one JSON object a line. */
export const rowsPath = (table: string): string => `${backupPaths.rows}${table}.ndjson`;

/** What a backup says of itself. */
export const manifestSchema = z.strictObject({
  /** Of this form; a later one is not read. */
  format: z.literal(1),
  /** The version that made it. */
  version: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Tells the key apart from others, and nothing about it: by what is sealed with it, no other opens it. */
  keyId: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.string().regex(/^\w+$/)),
  lastIds: z.record(z.string(), z.number().int().nonnegative()),
  entries: z.array(z.object({ path: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string() })),
});

/** See `manifestSchema`. */
export type Manifest = z.output<typeof manifestSchema>;
