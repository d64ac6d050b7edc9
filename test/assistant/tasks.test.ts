import { describe, expect, it } from 'vitest';
import { programAssistant } from '#test/assistant/model.ts';
import { verdict } from '#test/assistant/report.ts';
import { scripted } from '#test/assistant/scripted.ts';
import { run } from '#test/assistant/task.ts';
import { tasks } from '#test/assistant/tasks.ts';

describe('an assistant with nothing but the tools, in a company of its own', () => {
  for (const task of tasks) {
    const title = `${task.id}${task.mode ?? ''}: ${task.ask}`;
    if (task.awaits === undefined) {
      it(`does what it is asked within its bounds: ${title}`, async () => {
        expect(verdict(await run(task, scripted))).toBeNull();
      });
    } else it.skip(`cannot yet, without ${task.awaits}: ${title}`, () => {});
  }
});

describe('a program that does a task', () => {
  const task = tasks.find(({ id }) => id === 'count-issues');
  if (task === undefined) throw new Error('The task of the example is gone.');
  const program = 'node bootstrap/node24.mjs test/assistant/example-program.ts';

  it('reads the request, speaks MCP itself, and is judged by the same truths', async () => {
    const { fault, traffic } = await run(task, programAssistant(program));
    expect(fault).toBeNull();
    expect(traffic).toMatchObject({ wasted: 0, tools: ['tracker_issues_list'] });
    expect(traffic.received).toBeGreaterThan(500);
  });

  it.each([
    ['answers something else', 'echo 7', /"\d+" is missing in: 7/],
    ['fails', 'exit 3', /ended with 3/],
  ])('is not right if it %s', async (_, command, fault) => {
    expect((await run(task, programAssistant(command))).fault).toMatch(fault);
  });
});
