import { z } from 'zod';
import { Watcher } from '#test/faults/effects.ts';
import { type Cluster, type ClusterOptions, openCluster } from '#test/support/server/cluster.ts';

/** A cluster whose services are connected, and who looks for the effects of its deliveries. */
export type ClusterStand = Awaited<ReturnType<typeof openClusterStand>>;

/** Opens it; whoever does closes it. The suite CRM is connected at one server, by its own address. */
export async function openClusterStand(options: ClusterOptions) {
  const cluster = await openCluster(options);
  const { vaultDir: notes, services } = cluster;
  const watcher = new Watcher({ notes, organizations: services.organizations });
  const close = async () => {
    await watcher.stop();
    await cluster[Symbol.asyncDispose]();
  };
  try {
    await services.connect(await cluster.signIn(cluster.servers[0]?.origin));
    return { ...cluster, watcher, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

const endings = z.array(z.object({ order_key: z.string(), seq: z.coerce.number(), finished_at: z.coerce.number() }));

/** Deliveries of one record that were finished in another order than the one in which they came. */
export async function outOfOrder({ query }: Pick<Cluster, 'query'>): Promise<readonly string[]> {
  const rows = endings.parse(
    await query(
      'select order_key, seq, finished_at from webhook_inbox where finished_at is not null order by order_key, seq',
    ),
  );
  return rows.flatMap(({ order_key: key, seq, finished_at: at }, index) => {
    const before = rows[index - 1];
    const isLate = before?.order_key === key && before.finished_at > at;
    return isLate ? [`${key}: delivery ${seq} was finished before ${before.seq}.`] : [];
  });
}
