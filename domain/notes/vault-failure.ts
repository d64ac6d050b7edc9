/** The failure of reading or writing a file; `away`: the folder is not there at the moment. */
export type FileFailure = Readonly<{
  reason:
    | 'not_found'
    | 'outside'
    | 'is_folder'
    | 'unusable_name'
    | 'disk_full'
    | 'not_permitted'
    | 'too_large'
    | 'contended'
    | 'no_turn'
    | 'away'
    | 'read_only'
    | 'taken'
    | 'is_link'
    | 'no_trash';
}>;

/** The failure of a conditional write: the file has another version, or the condition cannot be read. */
export type ConditionFailure = Readonly<{ reason: 'condition_failed' | 'condition_unreadable'; detail: string }>;

/** The failure of work over a text that was stopped for taking too long; `detail` is for the caller. */
export type WorkEnded = Readonly<{ reason: 'work_ended'; detail: string }>;

/** The failure of a query that is malformed, unsupported, or too expensive; `detail` says which. */
export type QueryFailure = Readonly<{ reason: 'query_failed'; detail: string }>;
