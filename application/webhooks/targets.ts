import type { NoteEdits, NoteText } from '#application/ports/note-edits.ts';
import type { NoteLinks } from '#application/ports/note-links.ts';
import type { Organizations } from '#application/ports/organizations.ts';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { ApplyCallStep, type ApplyCallStepDependencies } from '#application/reactions/apply-call-step.ts';
import { ApplyReactionSteps } from '#application/reactions/apply-reaction-steps.ts';
import { ApplyWriteStep } from '#application/reactions/apply-write-step.ts';
import { ApplyNoteStep } from '#application/webhooks/apply-note-step.ts';
import { ApplyPushStep } from '#application/webhooks/apply-push-step.ts';
import { ApplySteps } from '#application/webhooks/apply-steps.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { StepEffect } from '#domain/reactions/run-result.ts';
import type { CallStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The stores and services that steps are applied to. */
export type Targets = Readonly<{
  notes: VaultNotes;
  noteLinks: NoteLinks;
  directory: PartyDirectory;
  partyLinks: PartyLinks;
  organizations: Organizations;
  textOf: NoteText;
  /** Null to make each change of a note a request of its own. */
  edits: NoteEdits | null;
  /** What user-written reactions need for their calls; they are not supported when not given. */
  written?: ApplyCallStepDependencies & Readonly<{ log: ReactionLog; nameOf?: NameOfCall }>;
}>;

/** Returns the name of a call's operation for people. */
type NameOfCall = (call: Pick<CallStep, 'service' | 'name'>) => string;

/** Creates the use case that applies steps. */
export function stepsAppliedTo({
  notes,
  noteLinks,
  directory,
  partyLinks,
  organizations,
  textOf,
  edits,
  written,
}: Targets): ApplySteps {
  return new ApplySteps(
    new ApplyNoteStep(notes, noteLinks, textOf, edits),
    new ApplyPushStep(directory, partyLinks, organizations),
    written === undefined
      ? null
      : new ApplyReactionSteps({
          write: new ApplyWriteStep(notes, textOf, edits),
          call: new ApplyCallStep(written),
          log: written.log,
          clock: written.clock,
        }),
  );
}

/**
 * Creates the use case for a dry run: reads are real, and each intended change is passed to `write` as one line. The code
 * that decides is the same, so that a dry run cannot differ from applying.
 */
export function dryRun(targets: Targets, write: (line: string) => void): ApplySteps {
  const { noteLinks, directory, partyLinks, organizations, textOf, written } = targets;
  const nameOf = written?.nameOf ?? (({ service, name }: CallStep) => `${service}.${name}`);
  const notes = dryRunNotes(targets.notes, write);
  const links = { find: (record: RecordRef) => noteLinks.find(record), keep: async () => undefined };
  const parties = {
    find: (record: RecordRef) => partyLinks.find(record),
    findByRemote: (kind: string, remoteId: string) => partyLinks.findByRemote(kind, remoteId),
    keep: async () => true,
  };
  // Without edits, changes are reported one by one, which is more informative than the resulting text.
  return new ApplySteps(
    new ApplyNoteStep(notes, links, textOf, null),
    new ApplyPushStep(dryRunDirectory(directory, write), parties, organizations),
    new ApplyReactionSteps({
      write: new ApplyWriteStep(notes, textOf, null),
      call: { run: async (step) => dryRunCall(nameOf(step), step, write) },
      log: null,
      clock: { now: () => 0 },
    }),
  );
}

function dryRunCall(name: string, { input }: CallStep, write: (line: string) => void): Result<StepEffect, never> {
  write(`call ${name}: ${JSON.stringify(input)}`);
  return ok({ line: `would call ${name}`, result: 'ran' });
}

function dryRunNotes(notes: VaultNotes, write: (line: string) => void): VaultNotes {
  return {
    read: (path) => notes.read(path),
    findByFrontmatter: (key, value) => notes.findByFrontmatter(key, value),
    create: async (path, content) => {
      const there = await notes.read(path);
      if (!there.ok) return there;
      if (there.value !== null) return ok(false);
      write(`create ${path}:\n${content}`);
      return ok(true);
    },
    setFrontmatter: async (path, key, value) => {
      write(`set ${key} to ${JSON.stringify(value)} in ${path}`);
      return ok(undefined);
    },
    appendUnderHeading: async (path, heading, markdown) => {
      write(`append under ${heading.join(' › ')} in ${path}:\n${markdown}`);
      return ok(undefined);
    },
    append: async (path, markdown) => {
      write(`append to ${path}:\n${markdown}`);
      return ok(undefined);
    },
    replace: async (path, content) => {
      write(`write ${path}:\n${content}`);
      return ok(true);
    },
  };
}

function dryRunDirectory(directory: PartyDirectory, write: (line: string) => void): PartyDirectory {
  const json = (party: object) => JSON.stringify(party);
  return {
    find: (party) => directory.find(party),
    update: async (id, party) => {
      write(`change record ${id} of the suite CRM: ${json(party)}`);
      return ok(true);
    },
    upsert: async (party) => {
      write(`make a record of the suite CRM: ${json(party)}`);
      return ok('(new)');
    },
  };
}
