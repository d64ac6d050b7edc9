import type { Task } from '#test/assistant/task.ts';
import { acrossTasks } from '#test/assistant/tasks/across.ts';
import { modeTasks } from '#test/assistant/tasks/modes.ts';
import { noteTasks } from '#test/assistant/tasks/notes.ts';
import { programTasks } from '#test/assistant/tasks/programs.ts';
import { salesTasks } from '#test/assistant/tasks/sales.ts';
import { signingTasks } from '#test/assistant/tasks/signing.ts';
import { suiteTasks } from '#test/assistant/tasks/suite.ts';
import { trackerTasks } from '#test/assistant/tasks/tracker.ts';

/** All tasks. */
export const tasks: readonly Task[] = [
  ...salesTasks,
  ...signingTasks,
  ...suiteTasks,
  ...trackerTasks,
  ...noteTasks,
  ...acrossTasks,
  ...modeTasks,
  ...programTasks,
];

/** Tasks that are counted together. `before` is what they took an assistant with an earlier version. */
export type TaskGroup = Readonly<{
  title: string;
  tasks: readonly Task[];
  before?: Readonly<{ calls: number; kilobytes: number }>;
}>;

/** By hand, in the order of the table: a working day, which an assistant also did with an earlier version. */
const workingDay: readonly string[] = [
  'customer-brief',
  'deal-stage',
  'nda-from-template',
  'overdue-activities',
  'merge-persons',
  'idle-deals',
  'file-bug',
  'close-reviewed',
  'weekly-report',
  'lead-with-phone',
  'rename-heading',
  'untagged-links',
  'write-reaction',
  'deleted-note',
  'reopen-deal',
  'two-annas',
  'impossible-stage',
  'count-issues',
  'long-text',
  'german-japanese',
  'time-zones',
  'who-must-sign',
  'tier-without-meeting',
  'signed-pdf',
  'complete-activity',
  'tag-notes',
  'overdue-tasks',
  'nothing-due',
  'table-row',
];

/** All tasks by how they are counted. */
export const taskGroups: readonly TaskGroup[] = [
  {
    title: 'A working day',
    tasks: workingDay.flatMap((id) => tasks.filter((task) => task.id === id)),
    before: { calls: 155, kilobytes: 414 },
  },
  { title: 'In catalogue mode', tasks: tasks.filter(({ mode }) => mode === '?mode=catalogue') },
  { title: 'On a connection that may only read', tasks: tasks.filter(({ mode }) => mode === '?readonly=1') },
  { title: 'With programs', tasks: programTasks },
  { title: 'More', tasks: tasks.filter(({ id, mode }) => mode === undefined && !workingDay.includes(id)) },
];
