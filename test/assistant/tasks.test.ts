import { describe, expect, it } from 'vitest';
import { Known } from '#test/assistant/known.ts';
import { programAssistant } from '#test/assistant/model.ts';
import { shortened, verdict } from '#test/assistant/report.ts';
import { scripted } from '#test/assistant/scripted.ts';
import { run, type Task } from '#test/assistant/task.ts';
import { taskGroups, tasks } from '#test/assistant/tasks.ts';

it('there are 75 tasks: 29 are a working day, eight each for small contexts and for readers, 15 with programs', () => {
  expect(taskGroups.map((group) => group.tasks.length)).toEqual([29, 8, 8, 15, 15]);
});

describe('an assistant with nothing but the tools, in a company of its own', () => {
  for (const task of tasks) {
    const title = `${task.id}${task.mode ?? ''}: ${shortened(task.ask)}`;
    if (task.awaits === undefined) {
      it(`does what it is asked within its bounds: ${title}`, async () => {
        expect(verdict(await run(task, scripted))).toBeNull();
      });
    } else it.skip(`cannot yet, without ${task.awaits}: ${title}`, () => {});
  }
});

describe('an assistant', () => {
  const known = new Known();
  known.learn('Move the deal 7 of Müller to the note Deals/Old.md {"id":"a-1"}');

  it.each([
    [{ id: 7, path: 'Deals/Müller.md', items: [{ id: 'a-1' }], content: 'Anything' }, []],
    [{ id: 8 }, ['8']],
    [{ arguments: { path: 'Archive/Old.md' } }, ['archive']],
    [{ items: [{ labels: ['Bug', 'deal'] }] }, ['bug']],
  ])('may name in %j only what it was asked or answered', (args, guessed) => {
    expect(known.guessedIn(args)).toEqual(guessed);
  });

  it.each([
    ['right', [() => {}, () => {}]],
    ['partly', [() => {}, () => throwing()]],
    ['wrong', [() => throwing(), () => throwing()]],
    ['wrong', () => throwing()],
  ] as const)('has done a task %s by what holds afterwards', async (outcome, holds) => {
    const task: Task = { id: 'none', ask: '', most: { calls: 0, tokens: 0 }, act: async () => '', holds };
    expect(await run(task, scripted)).toMatchObject({ outcome, fault: outcome === 'right' ? null : 'Not done' });
  });
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

function throwing(): never {
  throw new Error('Not done');
}
