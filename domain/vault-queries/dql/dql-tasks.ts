/** A task of a note; `line` counts from 0. */
export type Task = Readonly<{ text: string; status: string; checked: boolean; completed: boolean; line: number }>;

const maxTasks = 1_000;
const task = /^[\t >]*(?:[-*+]|\d{1,9}[.)])[\t ]+\[(.)\][\t ](.*)$/u;

/** The tasks of a note, `- [ ] text`, outside of code; the first 1,000. */
export function tasksOf(text: string): readonly Task[] {
  const tasks: Task[] = [];
  let fence: string | null = null;
  let start = 0;
  for (let line = 0; start <= text.length && tasks.length < maxTasks; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const shown = text.slice(start, Math.min(end, start + 4_000)).trimEnd();
    const mark = /^[\t >]*(`{3}|~{3})/.exec(shown)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const [, status, said = ''] = fence === null ? (task.exec(shown) ?? []) : [];
    if (status !== undefined) {
      tasks.push({ text: said.trim(), status, checked: status !== ' ', completed: /x/i.test(status), line });
    }
    start = end + 1;
  }
  return tasks;
}
