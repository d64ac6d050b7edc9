import { type NoteMetadata, readMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import { documentMapOf, partOf, patchNote } from '#adapters/vault-folder/patch/patch-note.ts';
import type { NoteEdit } from '#domain/notes/edits/note-edit.ts';
import { renameHeading } from '#domain/notes/edits/rename-heading.ts';
import { renameTag } from '#domain/notes/edits/rename-tag.ts';
import { replaceText } from '#domain/notes/edits/replace-text.ts';
import { linksOf } from '#domain/notes/links/note-links.ts';
import { noteSection, type SectionName } from '#domain/notes/note-section.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { type PatchedNote, patchedNote } from '#domain/notes/patch/patched-note.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import { judgeNotes } from '#domain/vault-queries/judge-notes.ts';
import { isYamlMap } from '#infrastructure/yaml/yaml-map.ts';
import { wordsOfKey } from '#infrastructure/yaml/yaml-words.ts';

/**
 * The jobs over note texts whose time grows with the text's size. Their inputs and results can be sent to and from a
 * thread.
 */
export const textJobs = {
  map: (text: string) => documentMapOf(text),
  metadata: (text: string): NoteMetadata => readMetadata(text),
  part: ({ text, target }: Readonly<{ text: string; target: PatchTarget }>) => partOf(text, target),
  section: ({ text, name }: Readonly<{ text: string; name: SectionName }>) => noteSection(text, name),
  patch: ({
    text,
    instruction,
  }: Readonly<{ text: string; instruction: PatchInstruction }>): Result<PatchedNote, PatchFailure> => {
    const patched = patchNote(text, instruction);
    return patched.ok ? ok(patchedNote(text, patched.value, instruction)) : patched;
  },
  links: (text: string) => linksOf(text),
  heading: ({ text, target, title }: Readonly<{ text: string; target: string; title: string }>) =>
    renameHeading(text, { target, title }),
  edit: ({ text, edit }: Readonly<{ text: string; edit: NoteEdit }>) =>
    edit.kind === 'tag'
      ? renameTag(text, edit, (yaml) => wordsOfKey(yaml, 'tags'))
      : replaceText(text, edit, isYamlMap),
  judge: judgeNotes,
} as const;

type Jobs = typeof textJobs;

/** A job as it is sent to a thread. */
export type TextJob = { [Name in keyof Jobs]: Readonly<{ name: Name; input: Parameters<Jobs[Name]>[0] }> }[keyof Jobs];

/** Runs a job; the entry point of the worker threads. Null only starts the thread. */
export default function run(job: TextJob | null): unknown {
  switch (job?.name) {
    case 'map':
      return textJobs.map(job.input);
    case 'metadata':
      return textJobs.metadata(job.input);
    case 'part':
      return textJobs.part(job.input);
    case 'section':
      return textJobs.section(job.input);
    case 'patch':
      return textJobs.patch(job.input);
    case 'links':
      return textJobs.links(job.input);
    case 'heading':
      return textJobs.heading(job.input);
    case 'edit':
      return textJobs.edit(job.input);
    case 'judge':
      return textJobs.judge(job.input);
    case undefined:
      return null;
  }
}
