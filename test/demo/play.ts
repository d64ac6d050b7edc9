import { setTimeout as delay } from 'node:timers/promises';
import type { Chronicle, StoryStep } from '#test/demo/chronicle.ts';
import type { DeliveryLog } from '#test/demo/deliveries.ts';
import type { Scene, Step } from '#test/demo/story.ts';

/** What a story is played with. `paceMs` is the pause for the reader before each step; its effect is never waited for by time. */
export type Playing = Readonly<{
  scene: Scene;
  log: DeliveryLog;
  chronicle: Chronicle;
  paceMs: number;
  onStep: (step: StoryStep) => void;
}>;

/** Plays the steps one after another; throws when one has not the effect that it is to have. */
export async function play(steps: readonly Step[], playing: Playing): Promise<void> {
  const { scene, paceMs } = playing;
  for (const step of steps) {
    if (paceMs > 0) await delay(paceMs, undefined, { signal: scene.signal });
    scene.signal.throwIfAborted();
    await playStep(step, playing);
  }
}

async function playStep(step: Step, { scene, log, chronicle, onStep }: Playing): Promise<void> {
  const { documents, signal } = scene;
  const before = documents.all;
  await step.act(scene);
  if (step.effect !== null) await documents.until(step.effect.name, step.effect.words, signal);
  const deliveries = await log.take();
  const refused = deliveries.find(({ status }) => status !== 200);
  if (refused !== undefined) throw new Error(`${refused.event} was answered ${refused.status ?? 'not at all'}`);
  const { place, what, remark = null } = step;
  const changes = documents.changesSince(before);
  onStep(chronicle.add({ place, what, remark, deliveries, changes }, [...documents.all.values()]));
}

/** How long nothing more changes before it is reported, in ms: a reaction writes a note in several goes. */
const quietMs = 400;

/** After the story: reports whatever changes, whoever changed it, until the scene's signal aborts. */
export async function watchOn({ scene, log, chronicle, onStep }: Omit<Playing, 'paceMs'>): Promise<void> {
  const { documents, signal } = scene;
  let before = documents.all;
  let timer: NodeJS.Timeout | undefined;
  const report = async () => {
    const changes = documents.changesSince(before);
    before = documents.all;
    if (changes.length === 0 || signal.aborted) return;
    const deliveries = await log.take();
    const place = deliveries.length === 0 ? 'Vault' : 'Services';
    const what = deliveries.length === 0 ? 'A note was changed' : 'Something happened in a service';
    onStep(chronicle.add({ place, what, remark: null, deliveries, changes }, [...documents.all.values()]));
  };
  const forget = documents.onChange(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void report(), quietMs);
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  forget();
}
