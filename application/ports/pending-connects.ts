import type { ServiceKey } from '#domain/services/service-key.ts';

/** A connect that a browser was sent away for. `browser` names the browser that began it. */
export type PendingConnect = Readonly<{
  userId: number;
  service: ServiceKey;
  browser: string;
  codeVerifier: string | null;
  extra: Readonly<Record<string, unknown>>;
  /** Unix ms. */
  startedAt: number;
}>;

/** Connects on their way, by their `state`; in memory, bounded. */
export interface PendingConnects {
  keep(state: string, connect: PendingConnect): Promise<void>;
  /** The connect, for the one caller that takes it; null when there is none, or it was taken before. */
  take(state: string): Promise<PendingConnect | null>;
}
