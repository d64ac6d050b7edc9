import { startBare } from '#test/bench/bare.ts';
import { startTarget } from '#test/bench/target.ts';

/** What the parent asks this process to serve. */
export type ServeOrder = Readonly<{ kind: 'target' }> | Readonly<{ kind: 'bare'; body: string; type: string }>;

process.once('message', (order: ServeOrder) => {
  const started = order.kind === 'target' ? startTarget() : startBare(order.body, order.type);
  void started.then(({ url, headers, close }) => {
    process.send?.({ url, headers });
    process.once('message', () => void close().then(() => process.exit(0)));
  });
});
