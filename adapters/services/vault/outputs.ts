import { z } from 'zod';
import { listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import { anything, flag, many, number, part, text, texts } from '#adapters/services/answers/output-members.ts';

/** The entries of a folder. */
export const folder = recordOf({ files: texts('Names inside this folder only; those of folders end with a slash') });

/** Notes that match a text search. */
export const found = listOf({
  filename: text('Path of the note'),
  matches: many({
    context: text('The text around the match'),
    match: part({ start: number(), end: number(), source: text('"filename" or "content"') }),
  }),
  score: number('Comparable within one search only'),
});

/** Notes that match a search, in pages. */
export const foundNotes = pagesOf({
  filename: text('Path of the note'),
  matches: texts('The best places, in order'),
  more: number('Further places in the note'),
});

/** Notes that match a query. */
export const foundByQuery = listOf({
  filename: text('Path of the note'),
  result: anything('Its result of the query'),
});

/** The commands of the notes app. */
export const commands = recordOf({ commands: many({ name: text(), id: text('For vault_command_run') }) });

/** The frontmatter of a note, with user-defined keys. */
export const frontmatter = recordOf({});

const revision = text('Of the note as it is now, for if_match');

/** The note that was written. */
export const noteWritten = recordOf({
  path: text('Path of the note, for vault_note_read'),
  change: text('created, appended or overwritten'),
  revision,
});

/** The part of a note that was changed. */
export const partChanged = recordOf({
  path: text(),
  target: text('The part; a heading by its path'),
  change: text('appended, prepended or replaced'),
  value: anything('The value of a frontmatter key that was replaced'),
  revision,
});

/** One part of a note. */
export const sectionRead = recordOf({
  path: text(),
  part: text('A heading by its path, or a block'),
  lines: text('Its lines in the note'),
  text: text(),
});

/** A key of the frontmatter that was set. */
export const keySet = recordOf({ path: text(), key: text(), value: anything(), revision });

/** A note in which text was changed. */
export const noteEdited = recordOf({
  path: text(),
  count: number('Places that were changed'),
  lines: many(z.int(), 'The lines of the first 50'),
  revision,
});

/** The tags of a note. */
export const noteTags = recordOf({ path: text(), tags: texts('Without "#"') });

/** The tags of a note after a change. */
export const tagsSet = recordOf({ path: text(), tags: texts('Without "#"'), revision });

/** The remaining tags of a note. */
export const tagsLeft = recordOf({
  path: text(),
  tags: texts('Those of the frontmatter, without "#"'),
  stillInText: texts('Asked to be removed, but written in the text'),
  revision,
});

/** What a change of several notes says of them. */
const changedNotes = {
  notes: texts('Paths of the first 50 notes that were changed'),
  moreNotes: number('Further notes that were changed'),
  left: many({ path: text(), line: number(), why: text() }, 'The first 50 places that were left as they are'),
  moreLeft: number('Further places that were left'),
};

/** A note that was moved. */
export const noteMoved = recordOf({
  path: text('Its path now'),
  from: text(),
  count: number('Links that were rewritten'),
  ...changedNotes,
  revision,
});

/** A heading that was renamed. */
export const headingRenamed = recordOf({
  path: text(),
  target: text('The heading by its path now'),
  count: number('Links that were rewritten'),
  ...changedNotes,
  revision,
});

/** A tag that was renamed. */
export const tagRenamed = recordOf({
  tag: text(),
  to: text(),
  count: number('Places that were changed'),
  ...changedNotes,
});

/** The earlier versions of a note. */
export const noteVersions = pagesOf({
  at: text('When the note was changed; the version is the text before'),
  change: text('made, changed, moved or deleted'),
  user: text('Who changed it'),
  email: text(),
  app: text('The app that they did it with'),
  added: number('Lines that came'),
  removed: number('Lines that went'),
  restorable: flag('Whether the text is known'),
  since: text('Says that it was changed by hand since'),
  id: text('For vault_note_restore'),
});

/** A note that was restored. */
export const noteRestored = recordOf({ path: text(), change: text('restored'), revision });
