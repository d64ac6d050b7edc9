import type { ServiceKey } from '#domain/services/service-key.ts';

/** Checks that the connections over which deliveries are processed are usable. */
export interface ConnectionGate {
  /** Returns why the service cannot be called now, as a sentence; null when it can. */
  reasonToWait(service: ServiceKey): Promise<string | null>;
}

/** A gate that lets every service be called. */
export const openGate: ConnectionGate = { reasonToWait: async () => null };
