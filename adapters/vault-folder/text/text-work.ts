import type { NoteMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { type TextJob, textJobs } from '#adapters/vault-folder/text/text-jobs.ts';
import type { DocumentMap, NotePart, NoteTexts } from '#application/ports/vault-folder.ts';
import type { EditedNote } from '#domain/notes/edits/edited-note.ts';
import type { EditFailure, NoteEdit } from '#domain/notes/edits/note-edit.ts';
import type { HeadingTitle, RenamedHeading, RenameFailure } from '#domain/notes/edits/rename-heading.ts';
import type { PlacedLink } from '#domain/notes/links/note-links.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import type { NoteSection, SectionName } from '#domain/notes/note-section.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import type { PatchedNote } from '#domain/notes/patch/patched-note.ts';
import type { WorkEnded } from '#domain/notes/vault-failure.ts';
import type { AmbiguousHeading } from '#domain/notes/which-heading.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { JudgedNote, QueryHit } from '#domain/vault-queries/judge-notes.ts';
import { programModule } from '#infrastructure/program/program-files.ts';
import { JobEnded, WorkerPool } from '#infrastructure/workers/worker-pool.ts';

/** The maximum length of a text that is processed on the event loop, in characters: that takes a few milliseconds. */
const smallText = 128 * 1024;
/** The same for frontmatter, which takes longer per character. */
const smallFrontmatter = 2 * 1024;

type Worked<Output> = Result<Output, WorkEnded>;

/**
 * Processes texts without blocking the event loop: small texts inline, large ones in threads, which are stopped after
 * `maxJobMs`.
 */
export class TextWork implements NoteTexts {
  readonly #pool: WorkerPool;
  readonly maxJobMs: number;

  constructor(maxJobMs = 3_000) {
    this.maxJobMs = maxJobMs;
    const module = programModule('adapters/vault-folder/text/text-jobs');
    this.#pool = new WorkerPool({ module, maxThreads: 2, maxJobMs, maxWaiting: 64, maxMemoryMb: 512 });
  }

  map(text: string): Promise<Worked<DocumentMap | null>> {
    return this.#do(isSmallText(text), () => textJobs.map(text), { name: 'map', input: text });
  }

  /** Parses frontmatter and tags. */
  metadata(text: string): Promise<Worked<NoteMetadata>> {
    return this.#do(isSmallText(text), () => textJobs.metadata(text), { name: 'metadata', input: text });
  }

  part(text: string, target: PatchTarget): Promise<Worked<Result<NotePart, PatchFailure>>> {
    const input = { text, target };
    return this.#do(isSmallText(text), () => textJobs.part(input), { name: 'part', input });
  }

  section(text: string, name: SectionName): Promise<Worked<Result<NoteSection | null, AmbiguousHeading>>> {
    const input = { text, name };
    return this.#do(isSmallText(text), () => textJobs.section(input), { name: 'section', input });
  }

  patch(text: string, instruction: PatchInstruction): Promise<Worked<Result<PatchedNote, PatchFailure>>> {
    const input = { text, instruction };
    const isSmall = isSmallText(text) && isSmallContent(instruction);
    return this.#do(isSmall, () => textJobs.patch(input), { name: 'patch', input });
  }

  links(text: string): Promise<Worked<readonly PlacedLink[]>> {
    return this.#do(isSmallText(text), () => textJobs.links(text), { name: 'links', input: text });
  }

  heading(text: string, name: HeadingTitle): Promise<Worked<Result<RenamedHeading | null, RenameFailure>>> {
    const input = { text, ...name };
    return this.#do(isSmallText(text), () => textJobs.heading(input), { name: 'heading', input });
  }

  edit(text: string, edit: NoteEdit): Promise<Worked<Result<EditedNote, EditFailure>>> {
    const input = { text, edit };
    return this.#do(isSmallText(text), () => textJobs.edit(input), { name: 'edit', input });
  }

  /**
   * Evaluates a rule with regular expressions over notes, in a thread whatever their size; `maxMs` is the time left for
   * it.
   */
  judge(
    rule: unknown,
    notes: readonly JudgedNote[],
    maxMs: number,
  ): Promise<Worked<Result<readonly QueryHit[], string>>> {
    return this.#inThread({ name: 'judge', input: { rule, notes } }, maxMs);
  }

  /** Resolves when a thread has started, which does not count as work. */
  async ready(): Promise<Worked<null>> {
    return this.#ended(async () => {
      await this.#pool.ready();
      return null;
    });
  }

  /** Stops the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #do<Output>(isSmall: boolean, here: () => Output, job: TextJob): Promise<Worked<Output>> {
    if (isSmall) return ok(here());
    const ready = await this.ready();
    return ready.ok ? this.#inThread(job, this.maxJobMs) : ready;
  }

  #inThread<Output>(job: TextJob, maxMs: number): Promise<Worked<Output>> {
    return this.#ended(() => this.#pool.run<Output>(job, maxMs));
  }

  async #ended<Output>(work: () => Promise<Output>): Promise<Worked<Output>> {
    try {
      return ok(await work());
    } catch (error) {
      if (!(error instanceof JobEnded)) throw error;
      return err({
        reason: 'work_ended',
        detail: `The work took longer than ${this.maxJobMs} ms, or too much memory, and was stopped.`,
      });
    }
  }
}

/** Whether any work over the text takes a few milliseconds at most, whatever the text contains. */
export function isSmallText(text: string): boolean {
  return text.length <= smallText && (splitNote(text).yaml?.length ?? 0) <= smallFrontmatter;
}

function isSmallContent({ target, content }: PatchInstruction): boolean {
  const length = typeof content === 'string' ? content.length : JSON.stringify(content).length;
  return length <= (target.kind === 'frontmatter' ? smallFrontmatter : smallText);
}
