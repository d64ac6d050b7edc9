import type { Logger } from '#application/ports/logger.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services of this server, used to hide stored rows of services that were removed from the configuration. */
export class KnownServices {
  readonly keys: readonly ServiceKey[];
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #reported = new Set<string>();

  constructor(keys: readonly ServiceKey[], logger: Pick<Logger, 'warn'>) {
    this.keys = keys;
    this.#logger = logger;
  }

  /** Whether the service is one of this server. The first row of each store that names another is logged. */
  has(service: ServiceKey, store: string): boolean {
    if (this.keys.includes(service)) return true;
    const place = `${store}/${service}`;
    if (!this.#reported.has(place))
      this.#logger.warn({ store, service }, 'Stored rows of an unknown service are ignored');
    this.#reported.add(place);
    return false;
  }
}
