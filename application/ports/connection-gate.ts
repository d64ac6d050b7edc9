import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether the connections are there that deliveries are worked on with. */
export interface ConnectionGate {
  /** Why nothing can be done at the service now, as a sentence; null when it can be called. */
  reasonToWait(service: ServiceKey): Promise<string | null>;
}

/** Every service can be called. */
export const openGate: ConnectionGate = { reasonToWait: async () => null };
