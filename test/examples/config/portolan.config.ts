import { defineConfig } from '#bootstrap/package/index.ts';
import { datedEntry, notePath, on } from '#bootstrap/package/service.ts';
import { MemoryVaultNotes } from '#bootstrap/package/testing.ts';
import { FileUsers } from '#test/examples/config/file-users.ts';
import { helpdesk } from '#test/examples/helpdesk/service.ts';

/** An issue was created → a note `New/{title}.md` beside the one that the built-in reaction makes. */
const issueCreated = on('tracker', ['issue.create'], (event) => {
  const { record } = event;
  const frontmatter = { new_issue: record.id };
  const body = '\n# New\n\n## History\n';
  const path = notePath('New/{title}.md', { title: `Issue ${record.id}` }, 'Issue');
  const history = [datedEntry('History', event, 'came in')];
  const create = { path, frontmatter, body };
  return [{ do: 'note', record, idKey: 'new_issue', frontmatter, history, occurredAt: event.occurredAt, create }];
});

/** Where the notes of this example go; a test looks there. */
export const notes = new MemoryVaultNotes();

export default defineConfig({
  stores: ({ dataDir }) => ({ users: new FileUsers(dataDir) }),
  sink: () => notes,
  services: [helpdesk],
  reactions: [issueCreated],
});
