import type { Runner } from '#test/contracts/kit/runner.ts';
import { Session } from '#test/contracts/kit/session.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';

/** What the test of a clause receives: the port of an empty store, the clock, and ways to open the same store again. */
export type Judged<Port> = Readonly<{
  port: Port;
  clock: SettableClock;
  reopen(): Promise<Port>;
  beside(): Promise<Port>;
  raw(): Promise<string>;
}>;

/** What a clause requires of the store: that it declares an ability, or that it declares not to have it. */
export type Need =
  | 'durable'
  | 'not durable'
  | 'processes'
  | 'not processes'
  | 'clock'
  | 'not clock'
  | 'raw'
  | (string & {});

/** Registers a clause; its title begins with its id: 'CLIENTS-001 returns every field as it was stored'. */
export type Clause<Port> = (
  title: string,
  body: (judged: Judged<Port>) => Promise<void>,
  ...needs: readonly Need[]
) => void;

/** A suite's port in words, the capacity of bounded stores, and further abilities that a subject may declare. */
export type ContractOptions = Readonly<{ port: string; max?: number; extras?: Readonly<Record<string, boolean>> }>;

/** Starts between two whole seconds, so that a store that drops milliseconds fails. */
const start = Date.UTC(2026, 0, 23, 12, 34, 56, 789);

/** Registers the suite of one port for one subject. */
export function contract<Port, Handle extends Opened<Port>>(
  runner: Runner,
  subject: Subject<Port, Handle>,
  { port: name, max = 10, extras = {}, define }: ContractOptions & Readonly<{ define(clause: Clause<Port>): void }>,
): void {
  const offered = offersOf(subject, extras);
  runner.describe(`${name} (${subject.name})`, () => {
    let clock = new SettableClock(start);
    let session = new Session<Port, Handle>(subject, { clock, max });
    let port: Port;
    runner.beforeEach(async () => {
      clock = new SettableClock(start);
      session = new Session<Port, Handle>(subject, { clock, max });
      port = await session.begin();
    });
    runner.afterEach(() => session.end());

    define((title, body, ...needs) => {
      const missing = needs.filter((need) => !offered.has(need));
      if (missing.length > 0) {
        runner.it.skip(`${title} [skipped: ${subject.name} is for ${missing.join(', ')}]`, async () => undefined);
        return;
      }
      runner.it(title, () =>
        body({
          port,
          clock,
          reopen: () => session.reopen(),
          beside: () => session.beside(),
          raw: () => session.raw(),
        }),
      );
    });
  });
}

/** The requirements that a subject meets. Throws if it declares an ability but does not provide the function for it. */
function offersOf<Port, Handle extends Opened<Port>>(
  { name, supports, reopen, beside, raw }: Subject<Port, Handle>,
  extras: Readonly<Record<string, boolean>>,
): ReadonlySet<string> {
  const { durable, processes, clock = true } = supports;
  if (durable && reopen === undefined) throw new Error(`${name}: supports.durable is true, so give reopen`);
  if (processes && beside === undefined) throw new Error(`${name}: supports.processes is true, so give beside`);
  const offers: Readonly<Record<string, boolean>> = {
    durable,
    'not durable': !durable && reopen !== undefined,
    processes,
    'not processes': !processes && beside !== undefined,
    clock,
    'not clock': !clock,
    raw: raw !== undefined,
    ...Object.fromEntries(
      Object.entries(extras).flatMap(([key, is]) => [
        [key, is],
        [`not ${key}`, !is],
      ]),
    ),
  };
  return new Set(Object.keys(offers).filter((need) => offers[need] === true));
}
