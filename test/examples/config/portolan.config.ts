import { defineConfig } from '#bootstrap/package/index.ts';
import { datedEntry, notePath, on } from '#bootstrap/package/service.ts';
import { MemoryVaultNotes } from '#bootstrap/package/testing.ts';
import { FileUsers } from '#test/examples/config/file-users.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';

/** When an issue is created, creates a note `New/{title}.md` in addition to that of the built-in reaction. */
const issueCreated = on('tracker', ['issue.create'], (event) => {
  const { record } = event;
  const frontmatter = { new_issue: record.id };
  const body = '\n# New\n\n## History\n';
  const path = notePath('New/{title}.md', { title: `Issue ${record.id}` }, 'Issue');
  const history = [datedEntry('History', event, 'came in')];
  const create = { path, frontmatter, body };
  return [{ do: 'note', record, idKey: 'new_issue', frontmatter, history, occurredAt: event.occurredAt, create }];
});

/** The note sink of this example, which a test reads. */
export const notes = new MemoryVaultNotes();

export default defineConfig({
  stores: ({ dataDir }) => ({ users: new FileUsers(dataDir) }),
  sink: () => notes,
  services: [helpdesk],
  reactions: [issueCreated],
});
