import type { ConditionFailure } from '#adapters/vault-folder/notes/conditions.ts';
import type { FileFailure } from '#adapters/vault-folder/notes/file-failure.ts';
import type { InstructionFailure } from '#adapters/vault-folder/patch/patch-instruction.ts';
import { type Answer, notFound, refuse, refuseStatus } from '#adapters/vault-folder/routes/answer.ts';
import type { WorkEnded } from '#adapters/vault-folder/text/text-work.ts';
import type { PatchFailure } from '#domain/notes/patch/note-patch.ts';
import { maxNote } from '#domain/notes/sizes.ts';

/** The answer when the folder cannot be used and nothing more is known. */
export const awayText =
  'The folder of the notes cannot be used at the moment. Nothing was changed; it goes on by itself when it is back.';

/** Converts the failure of a file operation to an error response. */
export function fileFailureAnswer(failure: FileFailure): Answer {
  switch (failure.reason) {
    case 'not_found':
      return notFound();
    case 'outside':
      return refuse(40021);
    case 'is_folder':
      return refuse(40510);
    case 'unusable_name':
      return refuseStatus(
        400,
        'No file can have this path: a name is too long or not allowed, or a folder in it is a file.',
      );
    case 'disk_full':
      return refuseStatus(507, 'There is no room left where the vault is kept. The file is as it was.');
    case 'contended':
      return refuseStatus(409, 'Another program writes this file all the time. Nothing was changed; try again.');
    case 'no_turn':
      return refuseStatus(
        503,
        'Another server is at this file, or the database does not answer. Nothing was changed; try again.',
      );
    case 'away':
      return refuseStatus(503, awayText);
    case 'read_only':
      return refuseStatus(
        503,
        'The disk with the folder of the notes can only be read at the moment. Nothing was changed; it goes on by itself when it can be written.',
      );
    case 'too_large':
      return refuseStatus(
        413,
        `A note of more than ${maxNote} bytes is read and written whole only: not by its parts, and not as JSON.`,
      );
    case 'not_permitted':
      return refuseStatus(500, 'The vault may not read or write this file.');
  }
}

/** The failures of changing a file. */
export type WriteFailure = PatchFailure | FileFailure | ConditionFailure | WorkEnded;

const isPatchFailure = (failure: WriteFailure): failure is PatchFailure => failure.reason.includes('-');

/** Converts the failure of a change to an error response. */
export function writeFailureAnswer(failure: WriteFailure): Answer {
  if (failure.reason === 'condition_failed') return refuse(41200, failure.detail);
  if (failure.reason === 'work_ended') return refuseStatus(422, failure.detail);
  if (failure.reason === 'condition_unreadable') return refuse(40024, failure.detail);
  return isPatchFailure(failure) ? patchFailureAnswer(failure) : fileFailureAnswer(failure);
}

/** Converts an error in headers or body to an error response. */
export const instructionFailureAnswer = ({ reason, detail }: InstructionFailure): Answer => refuse(reason, detail);

/** Converts the failure of patching or reading a part to an error response. */
export function patchFailureAnswer({ reason, detail }: PatchFailure): Answer {
  return reason === 'invalid-frontmatter'
    ? refuse(40005, detail)
    : refuse(40080, detail === undefined ? reason : `${reason}: ${detail}`);
}
