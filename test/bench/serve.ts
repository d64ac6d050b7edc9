import { startBare } from '#test/bench/bare.ts';
import { startTarget } from '#test/bench/target.ts';

/** What the parent asks this process to serve. */
export type ServeOrder = Readonly<{ kind: 'target' }> | Readonly<{ kind: 'bare'; body: string; type: string }>;

process.once('message', (order: ServeOrder) => void serve(order));

/** Serves until the parent sends anything more. */
async function serve(order: ServeOrder): Promise<void> {
  const { url, headers, close } = await (order.kind === 'target' ? startTarget() : startBare(order.body, order.type));
  const told = new Promise((resolve) => {
    process.once('message', resolve);
  });
  process.send?.({ url, headers });
  await told;
  await close();
  process.exit(0);
}
