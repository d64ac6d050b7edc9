import type { ServiceKey } from '#domain/services/service-key.ts';

/** A connect flow whose browser is at the provider. `browser` identifies the browser that started it. */
export type PendingConnect = Readonly<{
  userId: number;
  service: ServiceKey;
  browser: string;
  codeVerifier: string | null;
  extra: Readonly<Record<string, unknown>>;
  /** Unix ms. */
  startedAt: number;
}>;

/** Stores pending connect flows by their `state`; bounded, evicts the oldest first. */
export interface PendingConnects {
  keep(state: string, connect: PendingConnect): Promise<void>;
  /** Removes and returns the flow, for one caller only; null when there is none, or it was taken before. */
  take(state: string): Promise<PendingConnect | null>;
}
