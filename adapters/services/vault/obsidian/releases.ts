import { z } from 'zod';
import type { RecipeContext } from '#adapters/services/requests/operation-table.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** How a release of the notes app's server differs from the neutral dialect. */
export type Release = Readonly<{
  /** The version that the server reports; null for another product, which follows the neutral dialect. */
  version: string | null;
  /** The newest PATCH format that is sent: 1 is headers (VAULT-004), 2 a JSON instruction. */
  patchFormat: 1 | 2;
  /** Whether duplicate text is rejected unless the request says otherwise. */
  refusesDuplicates: boolean;
  /** Whether a write to a dated note goes to today's note instead, and may never be answered. */
  writesToday: boolean;
  /** The writes that check `If-Match`; others ignore it. */
  conditional: 'all' | 'patch' | 'none';
  hasPeriodicRoutes: boolean;
  hasDql: boolean;
}>;

const usual: Release = {
  version: null,
  patchFormat: 1,
  refusesDuplicates: false,
  writesToday: false,
  conditional: 'all',
  hasPeriodicRoutes: true,
  hasDql: true,
};

/** What each release changed, oldest first; a release has all entries up to its own. */
const changes: readonly Readonly<{ from: string; facts: Partial<Release> }>[] = [
  { from: '0', facts: { refusesDuplicates: true, writesToday: true, conditional: 'none' } },
  { from: '4', facts: { refusesDuplicates: false, hasDql: false } },
  { from: '5', facts: { conditional: 'patch' } },
  { from: '5.0.2', facts: { hasPeriodicRoutes: false } },
  { from: '6', facts: { patchFormat: 2 } },
];

const info = z.object({
  service: z.string().optional(),
  versions: z.object({ self: z.string(), obsidian: z.string().optional() }).optional(),
});

/**
 * The facts of a release from the answer of `GET /`. Only the notes app's own server is recognised; any other follows
 * the neutral dialect.
 */
export function releaseOf(said: unknown): Release {
  const parsed = info.safeParse(said);
  const version = parsed.success ? parsed.data.versions?.self : undefined;
  const isNotesApp =
    parsed.success && (/obsidian/i.test(parsed.data.service ?? '') || parsed.data.versions?.obsidian !== undefined);
  if (!isNotesApp || version === undefined) return usual;
  const brought = changes.filter(({ from }) => isAtLeast(version, from)).map(({ facts }) => facts);
  return Object.assign({ ...usual, version }, ...brought);
}

/** Caches which release each connection talks to; asked again when an answer contradicts it. */
export class Releases {
  readonly #known = new Map<string, Release>();

  /** The release behind a connection; a failure when the vault does not report it. */
  async find({ connection, send }: RecipeContext): Promise<Outcome<Release>> {
    const known = this.#known.get(connection.id);
    if (known !== undefined) return succeeded(known);
    const said = await send(rows['system.info'], {});
    if (!said.ok) return said;
    const release = releaseOf(said.data);
    this.#known.set(connection.id, release);
    return succeeded(release);
  }

  /** Asks again; null when the release is unchanged. */
  async findAnother(context: RecipeContext, known: Release): Promise<Release | null> {
    this.#known.delete(context.connection.id);
    const found = await this.find(context);
    return found.ok && found.data.version !== known.version ? found.data : null;
  }

  /** Records that the server behind this connection accepts PATCH in format 2. */
  noteNewPatch({ connection }: RecipeContext, release: Release): void {
    this.#known.set(connection.id, { ...release, patchFormat: 2 });
  }
}

function isAtLeast(version: string, from: string): boolean {
  const [have, want] = [version, from].map((text) => text.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index += 1) {
    const difference = (have?.[index] ?? 0) - (want?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
