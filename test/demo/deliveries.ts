import { z } from 'zod';
import type { Emulators } from '#test/demo/stage.ts';

/** A delivery that a service made, and the status that the server answered; null when nothing was. */
export type Delivered = Readonly<{ event: string; status: number | null }>;

const trackerBody = z.object({ action: z.string() });
const suiteBody = z.object({ module: z.string(), operation: z.string() });
const suiteActions: Readonly<Record<string, string>> = { insert: 'create', update: 'edit', delete: 'delete' };

/** What the four services delivered since it was asked last, by event name. */
export class DeliveryLog {
  readonly #emulators: Emulators;
  readonly #taken = new Map<string, number>();

  constructor(emulators: Emulators) {
    this.#emulators = emulators;
  }

  /** Waits for what is under way, and gives what is new. */
  async take(): Promise<readonly Delivered[]> {
    const { salesCrm, signing, suiteCrm, tracker } = this.#emulators;
    await salesCrm.webhooks.settled();
    await signing.webhooks.settled();
    await tracker.deliveries.settled();
    await suiteCrm.settled();
    return [
      ...this.#fresh('sales', salesCrm.webhooks.sent).map(({ event, status }) => ({ event, status })),
      ...this.#fresh('signing', signing.webhooks.deliveries).map(({ event, status }) => ({ event, status })),
      ...this.#fresh('tracker', tracker.deliveries.sent).map(({ event, body, status }) => ({
        event: `${event} ${trackerBody.parse(JSON.parse(body)).action}`,
        status,
      })),
      ...this.#fresh('suite', suiteCrm.deliveries).map(({ body, status }) => {
        const { module, operation } = suiteBody.parse(body);
        return { event: `${module}.${suiteActions[operation] ?? operation}`, status };
      }),
    ];
  }

  #fresh<Entry>(of: string, all: readonly Entry[]): readonly Entry[] {
    const fresh = all.slice(this.#taken.get(of) ?? 0);
    this.#taken.set(of, all.length);
    return fresh;
  }
}
