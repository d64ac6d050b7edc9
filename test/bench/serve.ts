import { startBare } from '#test/bench/bare.ts';
import type { Target } from '#test/bench/bench.ts';
import type { SdkServer } from '#test/bench/sdk-servers.ts';
import { startTarget } from '#test/bench/target.ts';

/** What the parent asks this process to serve. */
export type ServeOrder =
  | Readonly<{ kind: 'target' }>
  | Readonly<{ kind: 'sdk'; server: SdkServer }>
  | Readonly<{ kind: 'gateway'; provider: string; headers: Readonly<Record<string, string>> }>
  | Readonly<{ kind: 'patching'; folder: string; notes: number }>
  | Readonly<{ kind: 'reading'; file: string }>
  | Readonly<{ kind: 'streams' }>
  | Readonly<{ kind: 'issues'; count: number }>
  | Readonly<{ kind: 'thin'; tracker: string }>
  | Readonly<{ kind: 'bare'; body: string; type: string }>;

process.once('message', (order: ServeOrder) => void serve(order));

/** Serves until the parent sends anything more. */
async function serve(order: ServeOrder): Promise<void> {
  const { url, headers, close } = await started(order);
  const asked = new Promise((resolve) => {
    process.once('message', resolve);
  });
  process.send?.({ url, headers });
  await asked;
  await close();
  process.exit(0);
}

async function started(order: ServeOrder): Promise<Target> {
  switch (order.kind) {
    case 'target':
      return startTarget();
    case 'sdk': {
      // The others do without the SDKs.
      const { startSdkServer } = await import('#test/bench/sdk-servers.ts');
      return startSdkServer(order.server);
    }
    case 'gateway': {
      const { startGateway } = await import('#test/bench/gateway.ts');
      return startGateway(order.provider, order.headers);
    }
    case 'patching': {
      const { startPatching } = await import('#test/bench/patching.ts');
      return startPatching(order.folder, order.notes);
    }
    case 'reading': {
      const { startReading } = await import('#test/bench/reading.ts');
      return startReading(order.file);
    }
    case 'streams': {
      const { startBareStreams } = await import('#test/bench/bare-streams.ts');
      return startBareStreams();
    }
    case 'issues':
      return (await import('#test/bench/issues.ts')).startIssues(order.count);
    case 'thin':
      return (await import('#test/bench/issues.ts')).startThin(order.tracker);
    case 'bare':
      return startBare(order.body, order.type);
  }
}
