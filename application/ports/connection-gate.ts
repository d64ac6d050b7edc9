import type { ServiceKey } from '#domain/services/service-key.ts';

/** Checks whether the connections needed for processing deliveries are usable. */
export interface ConnectionGate {
  /** Returns why no delivery is processed now, as a sentence; null when they are. */
  reasonToPause(): Promise<string | null>;
  /** Returns why the service cannot be called now, as a sentence; null when it can. */
  reasonToWait(service: ServiceKey): Promise<string | null>;
}

/** A gate that is always open. */
export const openGate: ConnectionGate = { reasonToPause: async () => null, reasonToWait: async () => null };
