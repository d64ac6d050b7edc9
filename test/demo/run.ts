import { createServer } from 'node:net';
import { StartError } from '#bootstrap/start/first-start.ts';
import { SettingErrors } from '#infrastructure/config/read-env.ts';
import { type Addresses, Chronicle } from '#test/demo/chronicle.ts';
import { DeliveryLog } from '#test/demo/deliveries.ts';
import { Documents } from '#test/demo/documents.ts';
import { epilogue, narration, opening } from '#test/demo/narrator.ts';
import { startPage } from '#test/demo/page-server.ts';
import { play, watchOn } from '#test/demo/play.ts';
import { openStage, type Stage } from '#test/demo/stage.ts';
import { story } from '#test/demo/story.ts';

/** How the demo is run. `port` as given, null for 3000 or a free one; `onEnd` is given the folder of notes while it is there. */
export type Run = Readonly<{
  isOnce: boolean;
  paceMs: number;
  isVerbose: boolean;
  port: string | null;
  onEnd: (notes: string) => void;
}>;

type Closers = (() => Promise<void> | void)[];

const usualPort = 3000;

/** Runs the demo to its end; the exit code. A signal ends it at any time, with 0 and nothing left behind. */
export async function run(order: Run): Promise<number> {
  const ending = endOnSignals();
  const closers: Closers = [];
  let stage: Stage | null = null;
  try {
    stage = await openStage({ port: await portFor(order), isVerbose: order.isVerbose, closers });
    await perform(stage, order, { signal: ending, closers });
    return 0;
  } catch (error) {
    if (ending.aborted) return 0;
    process.stderr.write(errorText(error, order.isVerbose ? [] : (stage?.log() ?? [])));
    return 1;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function perform(
  stage: Stage,
  { isOnce, paceMs, onEnd }: Run,
  { signal, closers }: Readonly<{ signal: AbortSignal; closers: Closers }>,
): Promise<void> {
  const documents = new Documents(stage.portolan.notes, stage.emulators.suiteCrm);
  closers.push(() => documents.close());
  const addresses = await addressesOf(stage);
  const chronicle = new Chronicle(addresses, story.length);
  const page = isOnce ? null : await startPage(chronicle, stage.portolan.port + 1);
  if (page !== null) closers.push(() => page.close());
  process.stdout.write(opening(addresses, page?.url ?? null));
  const log = new DeliveryLog(stage.emulators);
  const scene = { stage, documents, signal };
  const onStep = (step: Parameters<typeof narration>[0]) => process.stdout.write(narration(step));
  try {
    await play(story, { scene, log, chronicle, paceMs, onStep });
    chronicle.end();
    if (isOnce) return;
    process.stdout.write(epilogue(addresses));
    await watchOn({ scene, log, chronicle, onStep });
  } finally {
    onEnd(addresses.notes);
  }
}

async function addressesOf({ portolan, user, assistant }: Stage): Promise<Addresses> {
  const { baseUrl, notes } = portolan;
  return {
    ...user,
    home: `${baseUrl}/floki/index`,
    mcp: `${baseUrl}/message`,
    deliveries: `${baseUrl}/deliveries`,
    notes,
    tools: await assistant.countTools(),
  };
}

/** The port that was asked for; else 3000, else any. With `--once` nobody visits: any. */
async function portFor({ port, isOnce }: Run): Promise<number | string> {
  if (port !== null && port !== '') return port;
  return !isOnce && (await isFree(usualPort)) ? usualPort : 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Aborts at the first signal, and when nobody reads the output any more. npm and a terminal may both send one: others wait. */
function endOnSignals(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  process.stdout.on('error', () => ending.abort());
  return ending.signal;
}

function errorText(error: unknown, log: readonly string[]): string {
  if (error instanceof SettingErrors) return `Invalid settings: ${error.message}\n`;
  if (error instanceof StartError) return `${error.message}\n`;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const said = log.length === 0 ? '' : `\nThe server's log, newest last:\n${log.join('')}`;
  return `The demo failed: ${what}\n${said}`;
}
