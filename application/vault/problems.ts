import type { EditFailure } from '#domain/notes/edits/note-edit.ts';
import type { RenameFailure } from '#domain/notes/edits/rename-heading.ts';
import type { PatchFailure } from '#domain/notes/patch/note-patch.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import type { ConditionFailure, FileFailure, QueryFailure, WorkEnded } from '#domain/notes/vault-failure.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';

/** The failures of the team's vault that no other part of the program has. */
type OwnFailure = Readonly<{
  reason:
    | 'hidden'
    | 'blank_name'
    | 'is_file'
    | 'closing'
    | 'not_allowed'
    | 'failed'
    | 'still_reading'
    | 'body_too_large'
    | 'content_too_large'
    | 'content_unreadable'
    | 'headings_too_many'
    | 'not_text'
    | 'no_command'
    | 'no_active_note'
    | 'no_certificate'
    | 'no_such_day'
    | 'no_periodic_note'
    | 'query_unreadable'
    | 'query_too_large';
  detail?: string;
}>;

/** Any failure of the team's vault; `detail` says more for people. */
export type VaultFailure =
  | FileFailure
  | PatchFailure
  | EditFailure
  | RenameFailure
  | ConditionFailure
  | WorkEnded
  | QueryFailure
  | OwnFailure;

/**
 * A failure as both sides report it: the REST interface by its error code, whose first three digits are the status, and
 * operations by their reason.
 */
export type VaultProblem = Readonly<{
  errorCode: number;
  reason: FailureReason;
  message: string;
  /** When it is worth asking again, in s. */
  retryAfterS?: number;
}>;

type Row = readonly [errorCode: number, reason: FailureReason, message: string];

const notFound: Row = [40400, 'not_found', 'Not Found'];
const unavailable = (message: string): Row => [50300, 'unavailable', `Service Unavailable\n${message}`];
const patchRefused: Row = [40080, 'rejected', 'The patch you provided could not be applied to the target content.'];

const rows: Readonly<Record<VaultFailure['reason'], Row>> = {
  not_found: notFound,
  no_command: notFound,
  hidden: [40400, 'not_found', 'Not Found\nNames that start with a dot are not served, of files nor of folders.'],
  no_active_note: [40400, 'not_found', 'Not Found\nNo note is open.'],
  no_certificate: [
    40400,
    'not_found',
    'Not Found\nThis vault is served over plain HTTP on a loopback address: there is no certificate.',
  ],
  no_periodic_note: [40461, 'not_found', 'Periodic note does not exist for the specified period.'],
  no_such_day: [
    40000,
    'rejected',
    'Bad Request\nThe calendar has no such day: write /{year}/{month}/{day}/ in numbers.',
  ],
  outside: [40021, 'rejected', 'Path traversal is not allowed. Paths must be relative and within the vault.'],
  blank_name: [40000, 'invalid_input', 'Bad Request\nA file or folder needs a name that can be seen.'],
  is_file: [40400, 'not_found', 'Not Found\nThis is the path of a file, not of a folder.'],
  is_folder: [40510, 'invalid_input', 'Request method is valid only for file paths, not directories.'],
  unusable_name: [
    40000,
    'rejected',
    'Bad Request\nNo file can have this path: a name is too long or not allowed, or a folder in it is a file.',
  ],
  disk_full: [50700, 'unavailable', 'Insufficient Storage\nThe disk of the vault is full. The file was not changed.'],
  contended: [
    40900,
    'conflict',
    'Conflict\nAnother program writes this file all the time. Nothing was changed; try again.',
  ],
  taken: [40900, 'conflict', 'Conflict\nThere is a file at the new path already. Nothing was changed.'],
  is_link: [40000, 'rejected', 'Bad Request\nThis path is a link on the disk, which stays where it is.'],
  heading_taken: [40900, 'conflict', 'Nothing was changed.'],
  heading_unwritable: [40000, 'invalid_input', 'Nothing was changed.'],
  no_turn: unavailable(
    'Another server is at this file, or the database does not answer. Nothing was changed; try again.',
  ),
  away: unavailable(
    'The notes folder is unavailable at the moment. Nothing was changed; it works again automatically when the folder is back.',
  ),
  read_only: unavailable(
    'The disk with the notes folder is read-only at the moment. Nothing was changed; it works again automatically when the disk is writable.',
  ),
  no_trash: unavailable(
    'The trash of the vault, its folder .trash/portolan, cannot be used: a link or a file is in its place. Nothing was deleted.',
  ),
  not_allowed: [40900, 'conflict', 'Conflict\nThe change was ended before it was made.'],
  closing: unavailable('The vault is being closed.'),
  still_reading: [50300, 'unavailable', 'Service Unavailable'],
  not_permitted: [50000, 'unavailable', 'Internal Server Error\nThe vault may not read or write this file.'],
  failed: [50000, 'unavailable', 'Internal Server Error\nThe vault failed; its log says why.'],
  too_large: [
    41300,
    'too_large',
    `Payload Too Large\nA note of more than ${maxNote} bytes can only be read and written as a whole: not by its parts, and not as JSON.`,
  ],
  not_text: [
    41500,
    'rejected',
    'Unsupported Media Type\nThe note is not UTF-8 text, so it can only be written as a whole.',
  ],
  headings_too_many: [
    41300,
    'too_large',
    'Payload Too Large\nThe headings of this note are too many and too long to be listed.',
  ],
  body_too_large: [41300, 'too_large', 'Payload Too Large'],
  query_too_large: [41300, 'too_large', 'Payload Too Large'],
  content_too_large: [
    41300,
    'too_large',
    'The content is too large: a part of a note may get 1 MiB of JSON or 4 MiB of text at once.',
  ],
  content_unreadable: [
    40015,
    'rejected',
    'Your request body could not be processed as the content-type specified in your Content-Type header.',
  ],
  query_unreadable: [
    40015,
    'invalid_input',
    'Your request body could not be processed as the content-type specified in your Content-Type header.',
  ],
  query_failed: [40070, 'rejected', 'The query you provided could not be processed.'],
  work_ended: [42200, 'rejected', 'Unprocessable Entity'],
  condition_failed: [
    41200,
    'conflict',
    'The file is not as the request requires. Nothing was changed; read it again and retry.',
  ],
  condition_unreadable: [40024, 'rejected', 'The If-Match or If-None-Match header you provided could not be read.'],
  'invalid-frontmatter': [40005, 'rejected', 'The frontmatter of the note could not be parsed.'],
  text_not_there: [40400, 'not_found', 'Nothing was replaced.'],
  text_count: [40900, 'conflict', 'Nothing was replaced.'],
  frontmatter_broken: [40005, 'rejected', 'Nothing was replaced.'],
  'invalid-target': patchRefused,
  'ambiguous-target': [40085, 'invalid_input', 'The Target names several headings of the note.'],
  'content-already-preexists-in-target': patchRefused,
  'content-type-invalid': patchRefused,
  'content-type-invalid-for-target': patchRefused,
  'table-content-incorrect-column-count': patchRefused,
  'content-not-mergeable': patchRefused,
};

/** What is reported of a failure; its detail is a line of its own. */
export function problemOf(failure: VaultFailure): VaultProblem {
  const row = rows[failure.reason];
  const [errorCode, reason, message] = row;
  const given = 'detail' in failure ? failure.detail : undefined;
  const named = given === undefined ? failure.reason : `${failure.reason}: ${given}`;
  const detail = row === patchRefused ? named : given;
  return { errorCode, reason, message: detail === undefined ? message : `${message}\n${detail}` };
}
