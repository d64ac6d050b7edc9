import { styleText } from 'node:util';
import { Chronicle } from '#test/demo/chronicle.ts';
import { type ClusterStage, openClusterStage } from '#test/demo/cluster/stage.ts';
import { DeliveryLog } from '#test/demo/deliveries.ts';
import { Documents } from '#test/demo/documents.ts';
import { narration } from '#test/demo/narrator.ts';
import { play } from '#test/demo/play.ts';
import { type Scene, story } from '#test/demo/story.ts';

/*
 * `npm run cluster`: PostgreSQL, three servers and a proxy that gives each request to the next, all on this machine; the demo's
 * story is played through it, and one server is killed on the way. Ends by itself, with 0 when all had its effect.
 */

const stepsBeforeKill = 6;
const closers: (() => Promise<void> | void)[] = [];
let stage: ClusterStage | null = null;

process.exitCode = await run();
process.exit();

async function run(): Promise<number> {
  try {
    stage = await openClusterStage(closers, report);
    await perform(stage);
    return 0;
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The cluster failed: ${said}\n${(stage?.log() ?? []).join('')}`);
    return 1;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function perform(stage: ClusterStage): Promise<void> {
  const documents = new Documents(stage.portolan.notes, stage.emulators.suiteCrm);
  closers.push(() => documents.close());
  const { baseUrl: home, notes } = stage.portolan;
  const addresses = { ...stage.user, home, mcp: `${home}/message`, deliveries: home, notes, tools: 0 };
  const chronicle = new Chronicle(addresses, story.length);
  const log = new DeliveryLog(stage.emulators);
  const scene: Scene = { stage, documents, signal: new AbortController().signal };
  const onStep = (step: Parameters<typeof narration>[0]) => void process.stdout.write(narration(step));
  const playing = { scene, log, chronicle, paceMs: 0, onStep };

  await play(story.slice(0, stepsBeforeKill), playing);
  const [, victim] = stage.servers;
  const pid = victim?.pid() ?? 0;
  await victim?.kill();
  report(`Server 2 was killed (kill -9 ${pid}); the story goes on with the other two`);
  await play(story.slice(stepsBeforeKill), playing);
  await victim?.start();
  report('Server 2 is up again');
  const counts = stage.proxy.counts().map((count, index) => `server ${index + 1}: ${count}`);
  report(`Requests that each answered: ${counts.join(', ')}`);
}

function report(what: string): void {
  process.stdout.write(`${styleText('magenta', '»', { stream: process.stdout })} ${what}\n`);
}
