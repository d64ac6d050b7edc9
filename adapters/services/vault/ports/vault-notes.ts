import { z } from 'zod';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const noteAnswer = z.object({
  path: z.string(),
  content: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  version: z.string().nullable().default(null),
});
const searchAnswer = z.array(z.object({ filename: z.string() }));
const refusedDuplicate = /content-already-preexists-in-target/;

/** Reads and writes the notes of one user's vault, through the vault's operations. */
export class GatewayVaultNotes implements VaultNotes {
  readonly #caller: OperationCaller;
  readonly #userId: number;
  readonly #isConditional: () => Promise<boolean>;

  /**
   * `userId`: whose vault connection is used, since deliveries carry no user of this server (REACT-009).
   * `isConditional`: whether the vault is known to support conditional writes, so that a path need not be checked
   * first; older ones ignore conditions.
   */
  constructor(caller: OperationCaller, userId: number, isConditional: () => Promise<boolean> = async () => false) {
    this.#caller = caller;
    this.#userId = userId;
    this.#isConditional = isConditional;
  }

  async read(path: string): Promise<Result<VaultNote | null, Failure>> {
    const outcome = await this.#call('notes.read', { path, format: 'note' });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok(null) : err(outcome);
    const note = noteAnswer.safeParse(outcome.data);
    return note.success ? ok(note.data) : err(unreadable);
  }

  async create(path: string, content: string): Promise<Result<boolean, Failure>> {
    const there = (await this.#isConditional()) ? ok(null) : await this.read(path);
    if (!there.ok) return there;
    if (there.value !== null) return ok(false);
    const put = await this.#call('notes.put', { path, content, if_none_match: '*' });
    if (!put.ok && put.reason === 'conflict') return ok(false);
    return put.ok ? ok(true) : err(put);
  }

  async setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>> {
    return done(
      await this.#call('notes.patch', {
        path,
        operation: 'replace',
        target_type: 'frontmatter',
        target: key,
        create_target_if_missing: true,
        content: value,
      }),
    );
  }

  async appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>> {
    const outcome = await this.#call('notes.patch', {
      path,
      operation: 'append',
      target_type: 'heading',
      target: heading.join('::'),
      create_target_if_missing: true,
      reject_if_content_preexists: true,
      content: markdown,
    });
    // The text is already there, as desired. Patches of format 2 only say so by 409.
    const isThere = !outcome.ok && (outcome.reason === 'conflict' || refusedDuplicate.test(outcome.message));
    if (isThere) return ok(undefined);
    return done(outcome);
  }

  async append(path: string, markdown: string): Promise<Result<void, Failure>> {
    return done(await this.#call('notes.append', { path, content: markdown }));
  }

  async replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>> {
    const put = await this.#call('notes.put', { path, content, if_match: `"${version}"` });
    if (!put.ok && put.reason === 'conflict') return ok(false);
    return put.ok ? ok(true) : err(put);
  }

  async findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>> {
    const is = (wanted: string | number) => ({ '===': [{ var: `frontmatter.${key}` }, wanted] });
    const query = isNumeral(value) ? { or: [is(value), is(Number(value))] } : is(value);
    const outcome = await this.#call('search.advanced', { query, type: 'jsonlogic' });
    if (!outcome.ok) return err(outcome);
    const hits = searchAnswer.safeParse(outcome.data);
    return hits.success ? ok(hits.data.map(({ filename }) => filename).sort()) : err(unreadable);
  }

  #call(name: string, input: Readonly<Record<string, unknown>>): Promise<Outcome> {
    return this.#caller.call({ userId: this.#userId, service: 'vault', name, input });
  }
}

/** Whether it is a text that a program may have converted to the number it represents. */
function isNumeral(value: string | number): boolean {
  return typeof value === 'string' && Number.isSafeInteger(Number(value)) && String(Number(value)) === value;
}

const unreadable = failed('unavailable', 'The vault answered with something that cannot be read.');

function done(outcome: Outcome): Result<void, Failure> {
  return outcome.ok ? ok(undefined) : err(outcome);
}
