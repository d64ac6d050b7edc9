import type { Task } from '#test/assistant/task.ts';
import { acrossTasks } from '#test/assistant/tasks/across.ts';
import { modeTasks } from '#test/assistant/tasks/modes.ts';
import { noteTasks } from '#test/assistant/tasks/notes.ts';
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
];
