import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { SizedList } from '#adapters/vault-folder/index/sized-list.ts';
import { noteJsonOf } from '#adapters/vault-folder/notes/note-json.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import { isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import type { QueryFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { equalitiesOf } from '#domain/vault-queries/equality-rule.ts';
import { usesOperation } from '#domain/vault-queries/json-logic.ts';
import { type JudgedNote, judgeNotes, type QueryHit } from '#domain/vault-queries/judge-notes.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

const maxBatch = 1024 * 1024;

type Found = Result<readonly QueryHit[], QueryFailure>;

/**
 * Returns the notes for which the query yields a truthy result, evaluating each over its note JSON. A query for a
 * frontmatter value is narrowed by the index. The failure's `detail` says that the query is malformed, does too much
 * or returns too much. Rules without regular expressions are evaluated here within a step budget; those with, in a
 * thread with a deadline.
 */
export async function searchByJsonLogic(index: NoteIndex, work: TextWork, rule: unknown): Promise<Found> {
  if (isTooDeep(rule)) return err({ reason: 'query_failed', detail: `A query may be nested ${maxDepth} deep.` });
  const hasExpressions = usesOperation(rule, 'regexp');
  const hasLinks = /links/.test(JSON.stringify(rule));
  const ready = hasExpressions ? await work.ready() : ok(null);
  if (!ready.ok) return err({ reason: 'query_failed', detail: ready.failure.detail });
  const deadline = performance.now() + work.maxJobMs;
  const hits = new SizedList<QueryHit>();
  const slices = new TimeSlices();
  const equalities = equalitiesOf(rule);
  const paths = equalities === null ? index.notePaths() : await index.notesWith(equalities);
  for await (const batch of batchesOf({ index, work, paths }, hasExpressions ? maxBatch : 0)) {
    const notes = hasExpressions ? batch.map((note) => (hasLinks ? unfolded(note) : withoutLinks(note))) : batch;
    const judged = hasExpressions
      ? await work.judge(rule, notes, deadline - performance.now())
      : ok(judgeNotes({ rule, notes }));
    if (!judged.ok)
      return err({
        reason: 'query_failed',
        detail: `${judged.failure.detail} (while processing ${batch[0]?.path ?? ''})`,
      });
    if (!judged.value.ok) return err({ reason: 'query_failed', detail: judged.value.failure });
    if (!hits.add(judged.value.value)) return err({ reason: 'query_failed', detail: SizedList.message });
    if (slices.isUsedUp) await slices.next();
  }
  return ok(hits.members);
}

/** Yields the notes as note JSON in batches of about `size` characters; 0 yields one note at a time. */
async function* batchesOf(
  { index, work, paths }: Readonly<{ index: NoteIndex; work: TextWork; paths: readonly string[] }>,
  size: number,
): AsyncGenerator<readonly JudgedNote[]> {
  let batch: JudgedNote[] = [];
  let length = 0;
  for (const path of paths) {
    const found = index.textOf(path);
    const text = found instanceof Promise ? await found : found;
    const stat = index.statOf(path);
    if (text === null || stat === null) continue;
    const known = index.metadataOf(path, text, work);
    const metadata = known instanceof Promise ? await known : known;
    batch.push({ path, data: noteJsonOf({ path, text, stat }, metadata, index.links) });
    length += text.length;
    if (length < size) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Resolves the lazy links, so that the note can be sent to a thread. */
const unfolded = ({ path, data }: JudgedNote): JudgedNote => ({ path, data: { ...Object(data) } });

function withoutLinks({ path, data }: JudgedNote): JudgedNote {
  const kept = Object.keys(Object(data)).filter((name) => !name.endsWith('links'));
  return { path, data: Object.fromEntries(kept.map((name) => [name, Reflect.get(Object(data), name)])) };
}
